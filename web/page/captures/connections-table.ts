/**
 * The connections of a capture, the largest first. Omitted ones are summed, so that columns add up to the whole
 * capture.
 */
import type { CaptureReport, ConnectionLine } from '../../protocol/capture-protocol.js';
import { h } from '../../../src/view/charts/dom.js';
import { bytesText, formatCount } from '../../../src/view/format.js';

const HEADS = ['Connection', 'Frames', 'Bytes', 'Marked', 'CNPs', 'Fast CNPs', 'PSNs missing'];
const COUNTS = ['frames', 'bytes', 'marked', 'cnps', 'fastCnps', 'missing'] as const;

type Counts = Omit<ConnectionLine, 'name'>;

/** @param most maximum number of lines. */
export function connectionsTable({ connections, others }: CaptureReport, most: number): HTMLElement {
  const listed = connections.slice(0, most);
  const rest = connections.slice(most);
  const rows = [
    ...listed.map(({ name, ...counts }) => row(name, counts)),
    ...(rest.length === 0 ? [] : [row(`${formatCount(rest.length)} more connections`, sumOf(rest))]),
    ...(others.frames === 0 ? [] : [row('frames of no listed connection', others)]),
    row('All RoCEv2 frames', sumOf([...connections, others]), 'sum'),
  ];
  const caption = rest.length === 0 ?
    `${formatCount(listed.length)} connections` :
    `${formatCount(listed.length)} of ${formatCount(connections.length)} connections, the largest first`;
  const table = h('div', {
    class: 'scroll',
    id: 'capture-connections',
    tabindex: 0,
    role: 'region',
    'aria-label': 'Connections of the capture',
  },
    h('table', {},
      h('thead', {},
        h('tr', {},
          ...HEADS.map((head, index) => h('th', { scope: 'col', class: index === 0 ? '' : 'number' }, head)))),
      h('tbody', {}, ...rows)));
  // Not a caption: that would be as wide as the table and be cut off with it.
  return h('div', {},
    h('p', { class: 'words' },
      `${caption}. CNPs and Fast CNPs are counted with the connection whose sender they slow.`), table);
}

function row(name: string, counts: Counts, kind = ''): HTMLElement {
  return h('tr', { class: kind }, h('th', { scope: 'row' }, name),
    ...COUNTS.map((key) =>
      h('td', { class: 'number' }, key === 'bytes' ? bytesText(counts[key]) : formatCount(counts[key]))
    ));
}

function sumOf(lines: readonly Counts[]): Counts {
  const sum = (key: keyof Counts): number => lines.reduce((total, line) => total + line[key], 0);
  return {
    frames: sum('frames'),
    bytes: sum('bytes'),
    marked: sum('marked'),
    cnps: sum('cnps'),
    fastCnps: sum('fastCnps'),
    missing: sum('missing'),
  };
}
