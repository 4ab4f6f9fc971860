import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { decapsulate, locateTunnel, type TunnelHeader, encapsulate, encapsulateInto, encapsulatedBytes, setTrafficClass,
  summariseIpPacket } from '../../src/tunnel/encapsulation.js';
import { createEcnTunnelCounters, decapsulateEcn, totalEcnTunnelCounters } from '../../src/tunnel/ecn.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { Ipv4 } from '../../src/wire/ip/ipv4.js';
import { Ipv6 } from '../../src/wire/ip/ipv6.js';
import { Icrc } from '../../src/wire/roce/icrc.js';
import { fromHex, toHex } from '../wire/support/hex.js';
import { DATA_4, DATA_6, EGRESS_SID, END_CON_SID, withClass } from './support/packets.js';

const HEADER: TunnelHeader = { source: END_CON_SID, destination: EGRESS_SID };
const WAYPOINTS = [parseIpAddress('2001:db8:cccc::1'), parseIpAddress('2001:db8:cccc::2')];

/** The encapsulated packet as it arrives at the egress, with this outer ECN. */
const arriving = (packet: Uint8Array, outerEcn: number, dscp = 26): Uint8Array =>
  withClass(encapsulate(packet, HEADER), dscp, outerEcn);

describe('entry of a tunnel', () => {
  it('puts an IPv6 header with next header 41 before an IPv6 packet, 4 before an IPv4 packet', () => {
    for (const [packet, nextHeader, flowLabel] of [[DATA_6, 41, 0x1face], [DATA_4, 4, 0]] as const) {
      const bytes = encapsulate(packet, HEADER);
      expect(Ipv6.read(bytes)).toEqual({
        dscp: 26,
        ecn: 2,
        flowLabel,
        payloadLength: packet.length,
        nextHeader,
        hopLimit: 64,
        source: END_CON_SID,
        destination: EGRESS_SID,
      });
      expect(toHex(bytes.subarray(40))).toBe(toHex(packet));
    }
  });

  it('matches its diagram byte for byte', () => {
    const outer = '68 2 00007 0044 29 09 20010db8aaaa000000000000000000c0 20010db8bbbb00000000000000000001';
    const inner = DATA_6.slice(0, 44);
    inner.set([0, 4], 4);
    const header = { ...HEADER, flowLabel: 7, hopLimit: 9, dscp: { model: 'pipe', dscp: 32 } } as const;
    expect(toHex(encapsulate(inner, header))).toBe(toHex(fromHex(outer.replace('0044', '002c'))) + toHex(inner));
  });

  it('copies the DSCP of the inner header, or sets a given one', () => {
    expect(Ipv6.read(encapsulate(DATA_6, { ...HEADER, dscp: { model: 'uniform' } })).dscp).toBe(26);
    expect(Ipv6.read(encapsulate(DATA_6, { ...HEADER, dscp: { model: 'pipe', dscp: 0 } })).dscp).toBe(0);
    expect(() => encapsulate(DATA_6, { ...HEADER, dscp: { model: 'pipe', dscp: 64 } })).toThrow(/ipv6\.dscp/);
    const unknown = { model: 'short-pipe' } as unknown as { model: 'uniform' };
    expect(() => encapsulate(DATA_6, { ...HEADER, dscp: unknown })).toThrow(/tunnel\.dscp\.model/);
  });

  it('Checklist 24: copies the ECN field in normal mode, which is the default', () => {
    for (const ecn of [0, 1, 2, 3]) {
      for (const packet of [withClass(DATA_6, 26, ecn), withClass(DATA_4, 26, ecn)]) {
        const bytes = encapsulate(packet, HEADER);
        expect(Ipv6.read(bytes).ecn).toBe(ecn);
        expect(toHex(encapsulate(packet, { ...HEADER, ecnMode: 'normal' }))).toBe(toHex(bytes));
        expect(Ipv6.read(encapsulate(packet, { ...HEADER, ecnMode: 'compatibility' })).ecn).toBe(0);
      }
    }
  });

  it('has a Segment Routing header when there are waypoints, the last segment first', () => {
    const bytes = encapsulate(DATA_6, { ...HEADER, segments: WAYPOINTS });
    expect(bytes).toHaveLength(40 + 8 + 48 + DATA_6.length);
    expect(Ipv6.read(bytes)).toMatchObject({
      nextHeader: 43,
      payloadLength: 56 + DATA_6.length,
      destination: WAYPOINTS[0],
    });
    expect(toHex(bytes.subarray(40, 96))).toBe(
      '2906040202000000' + toHex(EGRESS_SID) + toHex(WAYPOINTS[1]!) + toHex(WAYPOINTS[0]!),
    );
    expect(toHex(bytes.subarray(96))).toBe(toHex(DATA_6));
    expect(locateTunnel(bytes)).toMatchObject({ segmentsLeft: 2, innerProtocol: 41, innerOffset: 96 });
    expect(encapsulate(DATA_4, { ...HEADER, segments: WAYPOINTS })[40]).toBe(4);
  });

  it('omits bytes after the packet, and rejects an incomplete packet', () => {
    for (const packet of [DATA_6, DATA_4]) {
      const padded = Uint8Array.from([...packet, 1, 2, 3]);
      expect(toHex(encapsulate(padded, HEADER))).toBe(toHex(encapsulate(packet, HEADER)));
      for (let length = 0; length < packet.length; length++) {
        const error = errorOf(() => encapsulate(packet.subarray(0, length), HEADER));
        expect(error).toBeInstanceOf(RoceError);
        expect(error).toMatchObject({ code: 'invalid-packet' });
      }
    }
  });

  it('rejects packets other than IP, invalid addresses, and lengths that exceed the field of an IPv6 header', () => {
    expect(() => encapsulate(fromHex('50'), HEADER)).toThrow(
      /^ip header at offset 0 has another version \(got 5\); allowed: 4 or 6\.$/,
    );
    const short = DATA_4.slice();
    short.set([0, 19], 2);
    expect(() => encapsulate(short, HEADER)).toThrow(/short total length/);
    expect(() => encapsulate(DATA_6, { ...HEADER, source: new Uint8Array(4) })).toThrow(/ipv6\.source/);
    const segments = [WAYPOINTS[0]!];
    expect(() => encapsulate(DATA_6, { ...HEADER, destination: new Uint8Array(4), segments })).toThrow(/destination/);
    const longest = new Uint8Array(65535);
    longest.set(Ipv6.write({ ...Ipv6.read(DATA_6), payloadLength: 65535 - 40 }));
    expect(encapsulate(longest, HEADER)).toHaveLength(65575);
    const tooLong = new Uint8Array(65536);
    tooLong.set(Ipv6.write({ ...Ipv6.read(DATA_6), payloadLength: 65536 - 40 }));
    expect(() => encapsulate(tooLong, HEADER)).toThrow(/ipv6\.payloadLength/);
  });

  it('writes into an existing buffer', () => {
    const bytes = encapsulatedBytes(DATA_6, HEADER);
    const target = new Uint8Array(bytes + 3).fill(0xee);
    expect(encapsulateInto(target, 2, DATA_6, HEADER)).toBe(2 + bytes);
    expect(toHex(target)).toBe(`eeee${toHex(encapsulate(DATA_6, HEADER))}ee`);
    expect(() => encapsulateInto(target, 4, DATA_6, HEADER)).toThrow(/needs .* available/);
  });
});

describe('exit of a tunnel', () => {
  it.each([0, 1, 2, 3].flatMap((inner) => [0, 1, 2, 3].map((outer) => [inner, outer] as const)))(
    'turns inner ECN %i and outer ECN %i as the table states, for both IP versions',
    (inner, outer) => {
      const { ecn, warning } = decapsulateEcn(inner, outer);
      for (const packet of [withClass(DATA_6, 26, inner), withClass(DATA_4, 26, inner)]) {
        const result = decapsulate(arriving(packet, outer));
        if (ecn === 'drop') {
          expect(result).toEqual({ action: 'drop', reason: 'ecn', warning });
          continue;
        }
        expect(result).toMatchObject({ action: 'forward', ecn, warning, innerVersion: packet[0]! >> 4 });
        expect(toHex(forwarded(result))).toBe(toHex(withClass(packet, 26, ecn)));
      }
    },
  );

  it('returns any packet unchanged if it was not marked en route', () => {
    const packet = fc.tuple(fc.uint8Array({ maxLength: 80 }), fc.nat(63), fc.nat(3), fc.nat(2)).map(
      ([payload, dscp, ecn, waypoints]) => {
        const header = { ...Ipv6.read(DATA_6), dscp, ecn, payloadLength: payload.length };
        return { packet: Uint8Array.from([...Ipv6.write(header), ...payload]), waypoints };
      },
    );
    fc.assert(fc.property(packet, ({ packet: inner, waypoints }) => {
      const bytes = encapsulate(inner, { ...HEADER, segments: WAYPOINTS.slice(0, waypoints) });
      if (waypoints > 0) bytes[43] = 0;
      expect(toHex(forwarded(decapsulate(bytes)))).toBe(toHex(inner));
    }));
  });

  it('keeps a correct IPv4 checksum correct, and a wrong one wrong', () => {
    const right = forwarded(decapsulate(arriving(DATA_4, 3)));
    expect(Ipv4.read(right)).toMatchObject({ ecn: 3, dscp: 26, checksum: Ipv4.computeChecksum(right) });
    const wrong = DATA_4.slice();
    wrong[11]! ^= 0x40;
    const packet = forwarded(decapsulate(arriving(wrong, 3)));
    expect(Ipv4.read(packet).checksum).not.toBe(Ipv4.computeChecksum(packet));
  });

  it('leaves the ICRC valid: it does not cover the traffic class', () => {
    for (const packet of [DATA_6, DATA_4]) {
      expect(Icrc.isRight(forwarded(decapsulate(arriving(packet, 3))))).toBe(true);
    }
  });

  it('keeps the inner DSCP, or copies the outer one under the uniform model', () => {
    for (const packet of [DATA_6, DATA_4]) {
      const bytes = arriving(packet, 2, 10);
      expect(summariseIpPacket(forwarded(decapsulate(bytes)), 0).dscp).toBe(26);
      const uniform = forwarded(decapsulate(bytes, { dscp: 'uniform' }));
      expect(toHex(uniform)).toBe(toHex(withClass(packet, 10, 2)));
    }
    expect(() => decapsulate(arriving(DATA_6, 2), { dscp: 'x' as 'pipe' })).toThrow(
      /^dscp must be "pipe" or "uniform" \(got "x"\)\.$/,
    );
  });

  it('counts packets by inner and outer ECN', () => {
    const counters = createEcnTunnelCounters();
    decapsulate(arriving(DATA_6, 3), { counters });
    decapsulate(arriving(withClass(DATA_6, 26, 0), 3), { counters });
    expect([counters.cells[2 * 4 + 3], counters.cells[3]]).toEqual([1, 1]);
    expect(totalEcnTunnelCounters(counters)).toMatchObject({ packets: 2, dropped: 1, dangerous: 1 });
  });

  it('does not modify its input', () => {
    const bytes = arriving(DATA_4, 3);
    const before = toHex(bytes);
    decapsulate(bytes, { dscp: 'uniform' });
    expect(toHex(bytes)).toBe(before);
  });

  it('rejects segments left, other next headers, an inner version other than announced, and any truncation', () => {
    const routed = encapsulate(DATA_6, { ...HEADER, segments: WAYPOINTS });
    expect(() => decapsulate(routed)).toThrow(/^tunnel at offset 0 has segments left \(got 2\); allowed: 0\.$/);
    expect(() => decapsulate(DATA_6)).toThrow(
      /^tunnel at offset 0 carries no IP packet \(got 17\); allowed: next header 4 or 41\.$/,
    );
    const lying = encapsulate(DATA_6, HEADER);
    lying[6] = 4;
    expect(() => decapsulate(lying)).toThrow(
      /^tunnel at offset 40 carries an unexpected IP version \(got 6\); allowed: 4\.$/,
    );
    routed[43] = 0;
    for (const whole of [encapsulate(DATA_4, HEADER), routed]) {
      for (let length = 0; length < whole.length; length++) {
        expect(errorOf(() => decapsulate(whole.subarray(0, length)))).toMatchObject({ code: 'invalid-packet' });
      }
    }
  });

  it('rejects an inner packet that exceeds the outer length, and omits bytes after it', () => {
    const bytes = encapsulate(DATA_6, HEADER);
    bytes[45]! += 1;
    expect(() => decapsulate(Uint8Array.from([...bytes, 0]))).toThrow(/ip packet .* needs/);
    bytes[45]! -= 2;
    expect(forwarded(decapsulate(bytes))).toHaveLength(DATA_6.length - 1);
  });

  it('fails only with a RoceError, for any bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 120 }).map((bytes) => {
      if (bytes.length > 6) [bytes[0], bytes[6]] = [0x60, [41, 4, 43, 0, 60][bytes[6]! % 5]!];
      return bytes;
    });
    fc.assert(fc.property(bytes, (bytes) => {
      const error = errorOf(() => decapsulate(bytes));
      if (error !== undefined) expect(error).toMatchObject({ code: 'invalid-packet' });
    }));
  });
});

describe('traffic class of a packet', () => {
  it('is rewritten with the same checksum as a full computation', () => {
    const fields = fc.tuple(fc.nat(63), fc.nat(3), fc.nat(65535));
    fc.assert(fc.property(fields, ([dscp, ecn, identification]) => {
      const packet = DATA_4.slice();
      packet.set([identification >> 8, identification & 255], 4);
      const checksum = Ipv4.computeChecksum(packet);
      packet.set([checksum >> 8, checksum & 255], 10);
      setTrafficClass(packet, 0, dscp, ecn);
      expect(Ipv4.read(packet)).toMatchObject({ dscp, ecn, checksum: Ipv4.computeChecksum(packet) });
    }), { numRuns: 500 });
  });

  it('is rejected out of range', () => {
    expect(() => setTrafficClass(DATA_6.slice(), 0, 64, 0)).toThrow(/ip\.dscp/);
    expect(() => setTrafficClass(DATA_6.slice(), 0, 0, 4)).toThrow(/ip\.ecn/);
  });
});

function forwarded(result: ReturnType<typeof decapsulate>): Uint8Array {
  if (result.action !== 'forward') throw new Error('dropped');
  return result.packet;
}

function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
