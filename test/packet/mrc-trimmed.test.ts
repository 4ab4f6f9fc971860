/** MRC packets that a switch trimmed, which are recognized by their DSCP at any length. */
import { describe as suite, expect, it } from 'vitest';
import { build, describe, dissect, trimMrcFrame, type LayerSpec, type MrcOptions } from '../../src/packet/index.js';
import { UsidCarrier } from '../../src/wire/mrc/ip-fields.js';
import { rejectionOf } from '../support/rejection.js';
import { isIpv4ChecksumRight } from './support/ipv4-checksum.js';
import { A, frameOf, kindsOf, mrcOf, write } from './support/mrc-stacks.js';

/** The length up to a METH, and the most bytes that known switches keep. */
const [SHORTEST, LONGEST] = [78, 256];
const IPV6_OFFSET = 14;

/** The beginning of a frame with another DSCP, and with the original lengths in its headers. */
function trimmedByHand(frame: Uint8Array, length: number, dscp: number): Uint8Array {
  const bytes = frame.slice(0, length);
  bytes[IPV6_OFFSET] = 0x60 | (dscp >> 2);
  bytes[IPV6_OFFSET + 1] = ((dscp & 3) << 6) | (bytes[IPV6_OFFSET + 1]! & 0x3f);
  return bytes;
}

/** The layers that end within the bytes, and the kind of the remaining bytes. */
function kindsWithin(length: number, hasTimestamp: boolean): string[] {
  const layers: [string, number][] = [
    ['ethernet', 14],
    ['ipv6', 40],
    ['udp', 8],
    ['mrc-bth', 12],
    ['meth', 4],
    ...(hasTimestamp ? [['tseth', 4] as [string, number]] : []),
    ['reth', 16],
  ];
  const kinds: string[] = [];
  let left = length;
  for (const [kind, size] of layers) {
    if (left === 0) return kinds;
    if (left < size) return [...kinds, 'undecoded'];
    kinds.push(kind);
    left -= size;
  }
  return left > 0 ? [...kinds, 'payload'] : kinds;
}

suite('a trimmed packet', () => {
  const whole = frameOf(write(4));

  it('is trimmed according to its DSCP, regardless of its lengths', () => {
    for (const fixesLengths of [false, true]) {
      for (let keptBytes = 75; keptBytes <= 200; keptBytes++) {
        const bytes = trimMrcFrame(whole, { keptBytes, fixesLengths });
        const packet = dissect(bytes);
        expect(bytes).toHaveLength(keptBytes);
        expect(packet.mrc).toMatchObject({
          kind: 'data',
          isTrimmed: true,
          dscpName: 'TRIMMED',
          destQpn: 0x1234,
          psn: 5,
        });
        expect(packet.mrc?.problems).toEqual([]);
        expect(packet.icrc).toBeUndefined();
        expect(packet.trouble).toBeUndefined();
        expect(build(packet.layers)).toEqual(bytes);
      }
    }
  });

  it.each([[12, 16, 4], [11, 18, 44]])('of any length has the remaining headers, with DSCPs %i and %i',
    (trimmed, trimmedLastHop, trimmable) => {
      const mrc: MrcOptions = { dscps: { trimmed, trimmedLastHop, trimmable } };
      const other: MrcOptions = { dscps: { trimmed: 20, trimmedLastHop: 21 } };
      for (const hasTimestamp of [false, true]) {
        const stack = write(trimmable).filter(({ kind }) => hasTimestamp || kind !== 'tseth');
        const untrimmed = frameOf(stack);
        for (const dscp of [trimmed, trimmedLastHop]) {
          for (let length = SHORTEST; length <= LONGEST; length++) {
            const bytes = trimmedByHand(untrimmed, length, dscp);
            expect(trimMrcFrame(untrimmed, { mrc, keptBytes: length, dscp })).toEqual(bytes);
            const packet = dissect(bytes, { mrc });
            expect(packet.mrc).toMatchObject({
              kind: 'data',
              isTrimmed: true,
              dscpName: dscp === trimmed ? 'TRIMMED' : 'TRIMMED_LASTHOP',
              psn: 5,
              entropy: 0x70009,
              problems: [],
            });
            expect(kindsOf(packet), `${length} bytes`).toEqual(kindsWithin(length, hasTimestamp));
            expect(packet.icrc).toBeUndefined();
            expect(packet.trouble).toBeUndefined();
            expect(dissect(bytes, { mrc: other }).mrc).toBeUndefined();
          }
        }
      }
    });

  it('is reported as truncated by the capture, if the switch left more of it', () => {
    for (const fixesLengths of [false, true]) {
      const bytes = trimMrcFrame(whole, { keptBytes: 120, fixesLengths });
      for (let length = 63; length < bytes.length; length++) {
        const packet = dissect(bytes.subarray(0, length), { originalBytes: bytes.length });
        expect(packet.mrc?.isTrimmed).toBe(true);
        expect(packet.trouble, `${length} bytes`).toMatchObject({ isCut: true });
        expect(describe(packet)).toContain('cut inside');
      }
    }
  });

  it('has the remaining headers', () => {
    const kept = (keptBytes: number): string[] => kindsOf(dissect(trimMrcFrame(whole, { keptBytes }))).slice(3);
    expect(kept(78)).toEqual(['mrc-bth', 'meth']);
    expect(kept(80)).toEqual(['mrc-bth', 'meth', 'undecoded']);
    expect(kept(82)).toEqual(['mrc-bth', 'meth', 'tseth']);
    expect(kept(98)).toEqual(['mrc-bth', 'meth', 'tseth', 'reth']);
    expect(kept(128)).toEqual(['mrc-bth', 'meth', 'tseth', 'reth', 'payload']);
  });

  it('carries its DSCP in the outermost header of SRv6', () => {
    const outer: LayerSpec = {
      kind: 'ipv6',
      value: { source: A, destination: UsidCarrier.write({ block: 0xfcbbbbbb, usids: [1, 2] }), dscp: 4 },
    };
    const bytes = trimMrcFrame(frameOf(write(4, outer)), { dscp: 16 });
    expect(mrcOf(bytes)).toMatchObject({ isTrimmed: true, dscpName: 'TRIMMED_LASTHOP' });
    const [first, second] = dissect(bytes).layers.filter((layer) => layer.kind === 'ipv6');
    expect([first?.value.dscp, second?.value.dscp]).toEqual([16, 4]);
    expect(mrcOf(bytes, { dscps: { trimmedLastHop: 17 } })).toBeUndefined();
  });

  it('has the IPv4 checksum of its new header', () => {
    const mapped = (last: number) => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 0, 0, last);
    const [ethernet, , ...rest] = write(4);
    const bytes = frameOf([
      ethernet!,
      { kind: 'ipv4', value: { source: mapped(1), destination: mapped(2), dscp: 4 } },
      ...rest,
    ]);
    for (const fixesLengths of [false, true]) {
      const trimmed = trimMrcFrame(bytes, { fixesLengths });
      expect(isIpv4ChecksumRight(trimmed, 14)).toBe(true);
      expect(mrcOf(trimmed)).toMatchObject({ isTrimmed: true, entropy: 9 });
    }
  });

  it('is an invalid packet of wrong length in a network with other DSCPs', () => {
    const packet = dissect(trimMrcFrame(whole), { mrc: { dscps: { trimmed: 11, trimmedLastHop: 'none' } } });
    expect(packet).toMatchObject({ class: 'malformed', why: 'ip-length' });
    expect(packet.mrc).toBeUndefined();
    const other = { dscps: { trimmed: 11, trimmedLastHop: 'none' } } as const;
    expect(mrcOf(trimMrcFrame(whole, { dscp: 11 }), other)?.isTrimmed).toBe(true);
  });

  it('is rejected without an MRC packet, or if none of it would remain', () => {
    expect(rejectionOf(() => trimMrcFrame(new Uint8Array(60))).where).toBe('frame');
    expect(rejectionOf(() => trimMrcFrame(whole, { keptBytes: 60 })).where).toBe('options.keptBytes');
    expect(rejectionOf(() => trimMrcFrame(whole, { dscp: 64 })).where).toBe('options.dscp');
  });
});
