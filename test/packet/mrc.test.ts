import { readFileSync } from 'node:fs';
import { describe as suite, expect, it } from 'vitest';
import { readCapture } from '../../src/capture/index.js';
import { build, describe, describeTree, dissect, type LayerSpec, type MrcOptions } from '../../src/packet/index.js';
import type { MrcBth } from '../../src/wire/mrc/bth.js';
import { UsidCarrier } from '../../src/wire/mrc/ip-fields.js';
import { rejectionOf } from '../support/rejection.js';
import { fromHex } from '../wire/support/hex.js';
import { A, B, ETHERNET, IPV6, UDP, frameOf, kindsOf, mrcOf, write } from './support/mrc-stacks.js';

const capture = new Uint8Array(readFileSync(new URL('../captures/mrc/mrc.pcap', import.meta.url)));
const frames: Uint8Array[] = [];
for await (const frame of readCapture(capture)) frames.push(frame.bytes);

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

suite('a frame written by hand, behind two VLAN tags', () => {
  // The last four bytes were computed with zlib over the bytes from the IPv6 header.
  const frame = fromHex(`
    020000000001 020000000002 88a8 6064 8100 a00a 86dd
    61200203 0038 11 3d 20010db8003100000000000000000001 20010db8003100000000000000000002
    c001 12b7 0038 0000
    ca 30 ffff 00 000118 90 00002a 0000 0007 1234 0001 00007f0000001000 00000abc 00000005
    0102030405 000000 9b086520`);

  it('is read with a correct ICRC', () => {
    const packet = dissect(frame);
    expect(packet.layers[0]).toMatchObject({
      kind: 'ethernet',
      value: { tags: [{ tpid: 0x88a8, priority: 3, vlanId: 100 }, { tpid: 0x8100, priority: 5, vlanId: 10 }] },
    });
    expect(kindsOf(packet).slice(1)).toEqual([
      'ipv6',
      'udp',
      'mrc-bth',
      'meth',
      'tseth',
      'reth',
      'payload',
      'pad',
      'icrc',
    ]);
    expect(packet.icrc).toBe('right');
    expect(packet.mrc).toMatchObject({
      opcode: 0xca,
      destQpn: 0x118,
      psn: 0x2a,
      entropy: 0x0203c001,
      dscpName: 'TRIMMABLE',
      payloadBytes: 5,
      problems: [],
      remarks: [],
    });
  });

  it('has an ICRC over the datagram, not over the tags', () => {
    for (let at = 0; at < frame.length; at++) {
      const changed = frame.slice();
      changed[at]! ^= 1;
      const { mrc, icrc } = dissect(changed);
      if ([14, 15, 18, 19].includes(at)) expect(icrc, `byte ${at}`).toBe('right');
      if (at >= 82) expect([mrc === undefined, icrc], `byte ${at}`).toEqual([false, 'wrong']);
    }
  });
});

suite('the criterion for MRC packets', () => {
  const to = (destinationPort: number, opcode: number, kind: 'mrc-bth' | 'bth', sourcePort = 9): Uint8Array =>
    build([
      ETHERNET,
      IPV6,
      { kind: 'udp', value: { sourcePort, destinationPort } },
      {
        kind,
        value: { opcode, destQpn: 5 },
      } as LayerSpec,
      { kind: 'payload', value: { bytes: new Uint8Array(48) } },
      { kind: 'icrc', value: { icrc: 0 } },
    ]);

  it('is the opcode after UDP port 4791, 4971 or a configured one', () => {
    expect(mrcOf(to(4791, 0xde, 'mrc-bth'))?.kind).toBe('probe');
    expect(mrcOf(to(4971, 0xde, 'mrc-bth'))?.kind).toBe('probe');
    expect(mrcOf(to(5000, 0xde, 'mrc-bth'))).toBeUndefined();
    expect(mrcOf(to(5000, 0xde, 'mrc-bth'), { port: 5000 })?.kind).toBe('probe');
    expect(mrcOf(to(4791, 0x0a, 'bth'))).toBeUndefined();
    expect(dissect(to(4791, 0x0a, 'bth')).class).toBe('data');
    expect(dissect(to(4971, 0x0a, 'bth')).unread).toEqual({ field: 'udp-port', number: 4971 });
  });

  it.each([0, 49, 53, 4791, 4971])('is not the source port: the same packet from port %i', (sourcePort) => {
    for (const destinationPort of [4791, 4971]) {
      const [before, behind] = [write(4).slice(0, 2), write(4).slice(3)];
      const packet = dissect(frameOf([...before, { kind: 'udp', value: { sourcePort, destinationPort } }, ...behind]));
      const whole = dissect(frameOf(write(4)));
      expect(packet.mrc).toEqual({ ...whole.mrc, entropy: 0x70000 + sourcePort });
      expect(kindsOf(packet)).toEqual(kindsOf(whole));
      expect([packet.icrc, packet.trouble]).toEqual(['right', undefined]);
    }
    expect(mrcOf(to(53, 0xde, 'mrc-bth', sourcePort))).toBeUndefined();
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

suite('a malformed or notable MRC packet', () => {
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

  it('has a remark if it is valid', () => {
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

  it('shows the second byte of the BTH unchanged if SE or M is set', () => {
    const packetOf = (flags: Partial<MrcBth>) =>
      dissect(withBth({ opcode: 0xdc, destQpn: 1, ...flags }, seth({}), state));
    const flagged = packetOf({ migrationRequest: true });
    expect(flagged.mrc?.byte1).toBe(0x40);
    expect(describeTree(flagged)).toContain('BTH byte 1: 0x40, SE and M in either order');
    expect(packetOf({ solicitedEvent: true }).mrc?.byte1).toBe(0x80);
    expect(packetOf({}).mrc).not.toHaveProperty('byte1');
    expect(describeTree(packetOf({}))).not.toContain('BTH byte 1');
  });

  it('has a description, in the line and in the tree', () => {
    const packet = dissect(frames[57]!);
    expect(describe(packet)).toContain('malformed: the UDP length does not fit the datagram');
    expect(describeTree(packet)).toContain('malformed: the UDP length does not fit the datagram');
    expect(describe(dissect(frames[54]!))).toContain('ICRC wrong');
    expect(describe(dissect(frames[52]!))).toContain('a reserved opcode');
  });
});
