/** Shows one frame: its layers, its bytes, and links to the descriptions of the formats. */
import type { FrameDetails } from '../../protocol/capture-protocol.js';
import { h } from '../../../src/view/charts/dom.js';

const FORMATS = 'https://github.com/roce-cc/roce-cc/blob/main/docs/reference/wire.md';
const ROW_BYTES = 16;

/** Anchors in docs/reference/wire.md, by kind of layer. */
const ANCHORS: Readonly<Record<string, string>> = {
  ethernet: 'ethernet-ii',
  vlan: 'vlan-tag-8021q-8021ad',
  ipv4: 'ipv4',
  ipv6: 'ipv6',
  'hop-by-hop': 'ipv6-extension-header',
  'destination-options': 'ipv6-option',
  udp: 'udp',
  bth: 'bth',
  deth: 'deth',
  reth: 'reth',
  aeth: 'aeth',
  immdt: 'immdt',
  pause: 'pause',
  pfc: 'pfc',
  grh: 'grh',
};

export function packetView({ tree, bytes, layers }: FrameDetails): HTMLElement {
  const links = layers.filter(({ kind }) => ANCHORS[kind] !== undefined).map(({ kind }) =>
    h('a', { href: `${FORMATS}#${ANCHORS[kind] ?? ''}`, target: '_blank', rel: 'noreferrer' }, kind)
  );
  return h('div', { class: 'packet' },
    h('div', {}, h('pre', { id: 'packet-tree', tabindex: 0, role: 'region', 'aria-label': 'Layers' }, tree)),
    h('div', {}, h('pre', { id: 'packet-bytes', tabindex: 0, role: 'region', 'aria-label': 'Bytes' }, hexRows(bytes)),
      h('p', { class: 'words' }, 'Formats: ',
        ...links.flatMap((link, index) => (index === 0 ? [link] : [', ', link])))));
}

function hexRows(bytes: Uint8Array): string {
  return Array.from({ length: Math.ceil(bytes.length / ROW_BYTES) }, (_, row) => {
    const part = Array.from(bytes.subarray(row * ROW_BYTES, (row + 1) * ROW_BYTES));
    const offset = (row * ROW_BYTES).toString(16).padStart(4, '0');
    return `${offset}  ${part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')}`;
  }).join('\n');
}
