import { readFileSync } from 'node:fs';
import { describe as suite, expect, it } from 'vitest';
import { readCapture } from '../../src/capture/index.js';
import { build, completeStack, describe, describeTree, dissect, trimMrcFrame, type LayerSpec, type MrcOptions,
  type MrcReading, type Packet } from '../../src/packet/index.js';
import { isIpv4ChecksumRight } from './support/ipv4-checksum.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { UsidCarrier } from '../../src/wire/mrc/usid.js';
import { rejectionOf } from '../support/rejection.js';

const MACS = { destination: Uint8Array.of(2, 0, 0, 0, 0, 1), source: Uint8Array.of(2, 0, 0, 0, 0, 2) };
const [A, B] = [parseIpAddress('2001:db8:31::1'), parseIpAddress('2001:db8:31::2')];
const ETHERNET: LayerSpec = { kind: 'ethernet', value: MACS };
const IPV6: LayerSpec = { kind: 'ipv6', value: { source: A, destination: B, dscp: 4, ecn: 2, flowLabel: 7 } };
const UDP: LayerSpec = { kind: 'udp', value: { sourcePort: 9 } };

const capture = new Uint8Array(readFileSync(new URL('../captures/mrc/mrc.pcap', import.meta.url)));
const frames: Uint8Array[] = [];
for await (const frame of readCapture(capture)) frames.push(frame.bytes);

const write = (dscp: number, ...between: readonly LayerSpec[]): LayerSpec[] => [
  ETHERNET,
  ...between,
  { kind: 'ipv6', value: { source: A, destination: B, dscp, ecn: 2, flowLabel: 7 } },
  UDP,
  { kind: 'mrc-bth', value: { opcode: 0xca, destQpn: 0x1234, psn: 5 } },
  { kind: 'meth', value: { msn: 3 } },
  { kind: 'tseth', value: { timestamp: 100 } },
  { kind: 'reth', value: { virtualAddress: 0x1000n, rKey: 1, dmaLength: 301 } },
  { kind: 'payload', value: { bytes: new Uint8Array(301).fill(7) } },
];
const frameOf = (stack: readonly LayerSpec[]): Uint8Array => build(completeStack(stack));
const mrcOf = (bytes: Uint8Array, mrc?: MrcOptions): MrcReading | undefined =>
  dissect(bytes, mrc === undefined ? {} : { mrc }).mrc;
const kindsOf = ({ layers }: Packet): string[] => layers.map(({ kind }) => kind);

suite('a stack of MRC', () => {
  it('is completed by padding, the ts bit and the ICRC', () => {
    const packet = dissect(frameOf(write(4)));
    expect(packet.icrc).toBe('right');
    expect(kindsOf(packet).slice(3)).toEqual(['mrc-bth', 'meth', 'tseth', 'reth', 'payload', 'pad', 'icrc']);
    expect(packet.mrc).toEqual({
      kind: 'data',
      opcode: 0xca,
      destQpn: 0x1234,
      psn: 5,
      entropy: 0x00070009,
      dscpName: 'TRIMMABLE',
      isTrimmed: false,
      payloadBytes: 301,
      problems: [],
      remarks: [],
    });
  });
});

suite('what makes a packet MRC', () => {
  const to = (destinationPort: number, opcode: number, kind: 'mrc-bth' | 'bth'): Uint8Array =>
    build([
      ETHERNET,
      IPV6,
      { kind: 'udp', value: { destinationPort } },
      {
        kind,
        value: { opcode, destQpn: 5 },
      } as LayerSpec,
      { kind: 'payload', value: { bytes: new Uint8Array(48) } },
      { kind: 'icrc', value: { icrc: 0 } },
    ]);

  it('is the opcode, behind port 4791, 4971 or one of the options', () => {
    expect(mrcOf(to(4791, 0xde, 'mrc-bth'))?.kind).toBe('probe');
    expect(mrcOf(to(4971, 0xde, 'mrc-bth'))?.kind).toBe('probe');
    expect(mrcOf(to(5000, 0xde, 'mrc-bth'))).toBeUndefined();
    expect(mrcOf(to(5000, 0xde, 'mrc-bth'), { port: 5000 })?.kind).toBe('probe');
    expect(mrcOf(to(4791, 0x0a, 'bth'))).toBeUndefined();
    expect(dissect(to(4791, 0x0a, 'bth')).class).toBe('data');
    expect(dissect(to(4971, 0x0a, 'bth')).unread).toEqual({ field: 'udp-port', number: 4971 });
  });

  it('has options that are rejected by name', () => {
    const where = (mrc: MrcOptions): string => rejectionOf(() => dissect(frames[0]!, { mrc })).where;
    expect(where({ port: 0 })).toBe('mrc.port');
    expect(where({ evOrder: 'other' as never })).toBe('mrc.evOrder');
    expect(where({ eethPlace: 'other' as never })).toBe('mrc.eethPlace');
    expect(where({ dscps: { trimmed: 64 } })).toBe('dscps.trimmed');
  });

  it('reads the entropy value in the order of the option', () => {
    expect(mrcOf(frames[0]!, { evOrder: 'source-port-high' })?.entropy).toBe(0xc0de0001);
    expect(mrcOf(frames[10]!, { evOrder: 'source-port-high' })?.entropy).toBe(0xd00d0000);
  });
});

suite('a trimmed packet', () => {
  const whole = frameOf(write(4));

  it('is trimmed by its DSCP, whatever its lengths say', () => {
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

  it('has the headers that stayed', () => {
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

  it('has the IPv4 checksum of what it became', () => {
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

  it('is none in a network with other DSCPs, where its length is wrong', () => {
    const packet = dissect(trimMrcFrame(whole), { mrc: { dscps: { trimmed: 11, trimmedLastHop: 'none' } } });
    expect(packet).toMatchObject({ class: 'malformed', why: 'ip-length' });
    expect(packet.mrc).toBeUndefined();
    const other = { dscps: { trimmed: 11, trimmedLastHop: 'none' } } as const;
    expect(mrcOf(trimMrcFrame(whole, { dscp: 11 }), other)?.isTrimmed).toBe(true);
  });

  it('is rejected where there is no MRC packet, or nothing of it would stay', () => {
    expect(rejectionOf(() => trimMrcFrame(new Uint8Array(60))).where).toBe('frame');
    expect(rejectionOf(() => trimMrcFrame(whole, { keptBytes: 60 })).where).toBe('options.keptBytes');
    expect(rejectionOf(() => trimMrcFrame(whole, { dscp: 64 })).where).toBe('options.dscp');
  });
});

suite('a source route around an MRC packet', () => {
  it('shifts from switch to switch', () => {
    const destinations = [18, 19, 20].map((number) => {
      const outer = dissect(frames[number - 1]!).layers.find(({ kind }) => kind === 'ipv6');
      return outer?.kind === 'ipv6' ? outer.value.destination : A;
    });
    expect(UsidCarrier.shift(destinations[0]!)).toEqual(destinations[1]);
    expect(UsidCarrier.shift(destinations[1]!)).toEqual(destinations[2]);
    expect(mrcOf(frames[19]!)?.carrier).toEqual({ block: 0xfcbbbbbb, usids: [0x1109, 0xd000] });
  });

  it('may hold further segments', () => {
    expect(mrcOf(frames[21]!)?.carrier).toMatchObject({
      usids: [0x1103, 0x2205, 0x1109, 0x1301, 0x1402, 0x1503],
      segmentsLeft: 1,
      segments: [{ block: 0xfcbbbbbb, usids: [0x1604, 0xd000] }],
    });
  });

  it('does not hide the mark of the outer header', () => {
    expect(dissect(frames[19]!).tunnel).toMatchObject({ ecn: 3 });
  });
});

suite('what is malformed or notable in an MRC packet', () => {
  const withBth = (value: object, ...rest: readonly LayerSpec[]): Uint8Array =>
    frameOf([ETHERNET, IPV6, UDP, { kind: 'mrc-bth', value } as LayerSpec, ...rest]);
  const seth = (value: object): LayerSpec => ({ kind: 'seth', value: { cumulativePsn: 1, bitmap: 0n, ...value } });
  const state: LayerSpec = { kind: 'mrc-cc-state', value: {} };

  it('has a name', () => {
    const problems = (bytes: Uint8Array) => mrcOf(bytes)?.problems;
    expect(problems(withBth({ opcode: 0xc1, destQpn: 1 }))).toEqual(['reserved-opcode']);
    expect(problems(withBth({ opcode: 0xdc, destQpn: 1, transportVersion: 2 }, seth({}), state))).toEqual([
      'transport-version',
    ]);
    expect(problems(withBth({ opcode: 0xdc, destQpn: 1 }, seth({})))).toEqual(['header-short']);
    expect(problems(withBth({ opcode: 0xd8, destQpn: 1 }, { kind: 'erth', value: { operation: 0 } }))).toEqual([
      'endpoint-qp',
    ]);
    expect(problems(withBth({ opcode: 0xdc, destQpn: 1 }, seth({}), state, {
      kind: 'payload',
      value: { bytes: new Uint8Array(4) },
    }))).toEqual(['extra-bytes']);
    expect(problems(frames[56]!)).toEqual(['pad-beyond-end']);
    expect(problems(frames[57]!)).toEqual(['udp-length']);
  });

  it('is remarked on where it is legal', () => {
    const remarks = (bytes: Uint8Array) => mrcOf(bytes)?.remarks;
    expect(remarks(withBth({ opcode: 0xdc, destQpn: 1 }, seth({ mark: 3 }), state))).toEqual(['reserved-mark']);
    expect(remarks(withBth({ opcode: 0xdc, destQpn: 1 }, seth({ ccType: 5 }), { kind: 'mrc-cc-unknown' }))).toEqual([
      'unknown-cc-type',
    ]);
    expect(remarks(withBth({ opcode: 0xdd, destQpn: 1 }, { kind: 'neth', value: { reason: 0x42, nackPsn: 1 } })))
      .toEqual([
        'unknown-nack-reason',
      ]);
    expect(remarks(withBth({ opcode: 0xd9, destQpn: 2 }, { kind: 'eeth', value: { operationAlternative: 1 } })))
      .toEqual([
        'operation-ambiguous',
      ]);
    expect(remarks(frameOf(write(60)))).toEqual(['unknown-dscp']);
    const [ethernet, , ...rest] = write(4);
    const label: LayerSpec = { kind: 'ipv6', value: { source: A, destination: B, dscp: 4, flowLabel: 0x10007 } };
    expect(remarks(frameOf([ethernet!, label, ...rest]))).toEqual(['flow-label-upper-bits']);
    expect(mrcOf(frameOf([ethernet!, label, ...rest]))?.entropy).toBe(0x00070009);
  });

  it('has words, in the line and in the tree', () => {
    const packet = dissect(frames[57]!);
    expect(describe(packet)).toContain('malformed: the UDP length does not fit the datagram');
    expect(describeTree(packet)).toContain('malformed: the UDP length does not fit the datagram');
    expect(describe(dissect(frames[54]!))).toContain('ICRC wrong');
    expect(describe(dissect(frames[52]!))).toContain('a reserved opcode');
  });
});
