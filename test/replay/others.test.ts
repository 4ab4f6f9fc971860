/** The kinds of frames that are not RoCE. */
import { describe, expect, it } from 'vitest';
import { build, type LayerSpec } from '../../src/packet/index.js';
import { unreadWords } from '../../src/packet/index.js';
import { options, replayCapture } from './support/incast.js';
import { pcap } from './support/pcap.js';

const MACS = { destination: Uint8Array.of(2, 0, 0, 0, 0, 1), source: Uint8Array.of(2, 0, 0, 0, 0, 2) };
const quad = (last: number) => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, last);
const ethernet = (etherType?: number): LayerSpec => ({
  kind: 'ethernet',
  value: { ...MACS, ...(etherType === undefined ? {} : { etherType }) },
});
const ipv4 = (more: object = {}): LayerSpec => ({
  kind: 'ipv4',
  value: { source: quad(1), destination: quad(2), ...more },
});
const udp = (destinationPort?: number): LayerSpec => ({
  kind: 'udp',
  value: destinationPort === undefined ? {} : { destinationPort },
});
const payload: LayerSpec = { kind: 'payload', value: { bytes: new Uint8Array(30) } };
const trailer: LayerSpec = { kind: 'trailer', value: { bytes: new Uint8Array(42) } };
const vxlan: LayerSpec = { kind: 'vxlan', value: { vni: 1 } };

const KINDS: readonly (readonly [what: string, stack: readonly LayerSpec[], field: string, number: number])[] = [
  ['LLDP', [ethernet(0x88cc), payload], 'ether-type', 0x88cc],
  [
    'spanning tree',
    [ethernet(38), { kind: 'payload', value: { bytes: Uint8Array.of(0x42, 0x42, 3, 0, 0, 0) } }],
    'llc',
    0x42,
  ],
  ['TCP', [ethernet(), ipv4({ protocol: 6 }), payload], 'ip-protocol', 6],
  [
    'TCP inside of VXLAN',
    [ethernet(), ipv4(), udp(), vxlan, ethernet(), ipv4({ protocol: 6 }), payload],
    'ip-protocol',
    6,
  ],
  ['DNS', [ethernet(), ipv4(), udp(53), payload], 'udp-port', 53],
  ['a VXLAN port without VXLAN', [ethernet(), ipv4(), udp(4789), payload], 'udp-port', 4789],
  ['a later fragment', [ethernet(), ipv4({ protocol: 17, fragmentOffset: 100 }), payload], 'fragment', 17],
  ['PAUSE with its padding', [ethernet(), { kind: 'pause', value: { pauseQuanta: 5 } }, trailer], 'pause', 0],
];

async function othersOf(frames: readonly Uint8Array[], linkType = 1) {
  const list = frames.map((bytes, index) => ({ bytes, at: [5, index] as [number, number] }));
  return (await replayCapture(pcap(linkType, list), [], { parameters: options.parameters })).others;
}

describe('frames that are not RoCE', () => {
  it.each(KINDS)('are listed by protocol: %s', async (_, stack, field, number) => {
    expect(await othersOf([build(stack)])).toEqual([{ field, number, frames: 1, firstFrame: 1 }]);
  });

  it('are counted by kind, the most frequent first, with the first frame of each', async () => {
    const [lldp, , tcp] = KINDS.map(([, stack]) => build(stack));
    expect(await othersOf([lldp!, tcp!, tcp!])).toEqual([
      { field: 'ip-protocol', number: 6, frames: 2, firstFrame: 2 },
      { field: 'ether-type', number: 0x88cc, frames: 1, firstFrame: 1 },
    ]);
  });

  it('are also listed after other link headers', async () => {
    expect(await othersOf([Uint8Array.of(7, 0, 0, 0, 1, 2, 3)], 0)).toMatchObject([{ field: 'link', number: 7 }]);
  });

  it('have names for their protocol numbers', () => {
    expect([
      unreadWords('ether-type', 0x88cc),
      unreadWords('udp-port', 53),
      unreadWords('ip-protocol', 200),
      unreadWords('pause', 0),
    ]).toEqual(['EtherType 0x88cc (LLDP)', 'UDP port 53 (DNS)', 'IP protocol 200', 'MAC control, PAUSE']);
  });
});
