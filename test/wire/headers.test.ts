import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { Bth, Ethernet, Ipv4, Ipv6, Udp, parseIpAddress } from '../../src/wire/index.js';
import { readKnownFrames } from './support/frames.js';
import { V1, V2, V3, fromHex, toHex } from './support/hex.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });
const ipv4Address = bytes(4).map((a) => Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...a]));

/** The bytes of a captured header, and its codec, for each kind. */
const HEADERS = [
  {
    layer: 'ethernet header',
    bytes: fromHex('0200000000010200000000028100c0648100600586dd'),
    parse: Ethernet.read,
    build: Ethernet.write,
    offset: 0,
  },
  { layer: 'ipv4 header', bytes: V2.subarray(0, 20), parse: Ipv4.read, build: Ipv4.write, offset: 0 },
  { layer: 'ipv6 header', bytes: V3.subarray(0, 40), parse: Ipv6.read, build: Ipv6.write, offset: 0 },
  { layer: 'udp header', bytes: V2.subarray(20, 28), parse: Udp.read, build: Udp.write, offset: 0 },
  { layer: 'bth', bytes: V2.subarray(28, 40), parse: Bth.read, build: Bth.write, offset: 0 },
] as const;

describe.each(HEADERS)('$layer', ({ layer, bytes, parse, build }) => {
  it('is rebuilt byte for byte', () => {
    const header = parse(bytes);
    expect(toHex((build as (value: typeof header) => Uint8Array)(header))).toBe(toHex(bytes));
  });

  it('names layer, offset, required and actual bytes if truncated', () => {
    for (let length = 0; length < bytes.length; length++) {
      const shifted = new Uint8Array(5 + length);
      shifted.set(bytes.subarray(0, length), 5);
      let error: unknown;
      try {
        parse(shifted, 5);
      } catch (caught) {
        error = caught;
      }
      expect(error).toBeInstanceOf(RoceError);
      expect(error).toMatchObject({
        code: 'invalid-packet',
        available: length,
        required: expect.any(Number) as number,
        ...{ layer, offset: 5 },
      });
    }
  });
});

describe('Ethernet header', () => {
  it('reads VLAN tags outermost first', () => {
    const header = Ethernet.read(fromHex('02000000000102000000000288a8f064810060050800'));
    expect(header.tags).toEqual([
      { tpid: 0x88a8, priority: 7, dropEligible: true, vlanId: 100 },
      { tpid: 0x8100, priority: 3, dropEligible: false, vlanId: 5 },
    ]);
    expect(header.etherType).toBe(0x0800);
  });

  it('has views that do not copy', () => {
    const bytes = HEADERS[0].bytes.slice();
    const view = new Ethernet.View(bytes);
    bytes[0] = 0xaa;
    expect(view.destination[0]).toBe(0xaa);
  });

  it('is the inverse of its reader for all values', () => {
    const tag = fc.record({
      tpid: fc.constantFrom(0x8100, 0x88a8),
      priority: bits(3),
      dropEligible: fc.boolean(),
      vlanId: bits(12),
    });
    const etherType = bits(16).filter((type) => type !== 0x8100 && type !== 0x88a8);
    const header = fc.record({
      destination: bytes(6),
      source: bytes(6),
      tags: fc.array(tag, { maxLength: 3 }),
      etherType,
    });
    fc.assert(fc.property(header, (value) => {
      expect(Ethernet.read(Ethernet.write(value))).toEqual(value);
    }));
  });
});

describe('IPv4 header', () => {
  const header = fc.record({
    dscp: bits(6),
    ecn: bits(2),
    totalLength: bits(16),
    identification: bits(16),
    flags: bits(3),
    fragmentOffset: bits(13),
    ttl: bits(8),
    protocol: bits(8),
    checksum: bits(16),
    source: ipv4Address,
    destination: ipv4Address,
    options: bits(3).chain((words) => bytes(4 * words)),
  });

  it('is the inverse of its reader for all values', () => {
    fc.assert(fc.property(header, (value) => {
      expect(Ipv4.read(Ipv4.write(value))).toEqual(value);
    }));
  });

  it('computes the checksum of captured packets', () => {
    for (const packet of [V1, V2]) {
      const { checksum, ...fields } = Ipv4.read(packet);
      expect(Ipv4.read(Ipv4.write(fields)).checksum).toBe(checksum);
      expect(Ipv4.computeChecksum(packet)).toBe(checksum);
    }
  });

  it('holds IPv4 addresses in their IPv4-mapped form', () => {
    expect(Ipv4.read(V1).source).toEqual(parseIpAddress('10.0.17.1'));
    const fields = { ...Ipv4.read(V1), source: parseIpAddress('2001:db8::1') };
    expect(() => Ipv4.write(fields)).toThrow(/ipv4\.source/);
  });

  it('rejects another version and an IHL below 5', () => {
    expect(() => Ipv4.read(V3)).toThrow(/^ipv4 header at offset 0 has another version \(got 6\); allowed: 4\.$/);
    const short = V1.slice();
    short[0] = 0x44;
    expect(() => Ipv4.read(short)).toThrow(/wrong length \(got 16\); allowed: a multiple of 4 between 20 and 60 bytes/);
  });
});

describe('IPv6 header', () => {
  it('is the inverse of its reader for all values', () => {
    const header = fc.record({
      dscp: bits(6),
      ecn: bits(2),
      flowLabel: bits(20),
      payloadLength: bits(16),
      nextHeader: bits(8),
      hopLimit: bits(8),
      source: bytes(16),
      destination: bytes(16),
    });
    fc.assert(fc.property(header, (value) => {
      expect(Ipv6.read(Ipv6.write(value))).toEqual(value);
    }));
  });

  it('rejects another version', () => {
    expect(() => Ipv6.read(V1)).toThrow(/^ipv6 header at offset 0 has another version \(got 4\); allowed: 6\.$/);
  });
});

describe('UDP header', () => {
  it('is the inverse of its reader for all values', () => {
    const header = fc.record({
      sourcePort: bits(16),
      destinationPort: bits(16),
      length: bits(16),
      checksum: bits(16),
    });
    fc.assert(fc.property(header, (value) => {
      expect(Udp.read(Udp.write(value))).toEqual(value);
    }));
  });

  it('has destination port 4791 and no checksum unless stated otherwise', () => {
    expect(Udp.read(Udp.write({ sourcePort: 1, length: 40 }))).toEqual({
      sourcePort: 1,
      destinationPort: 4791,
      length: 40,
      checksum: 0,
    });
  });

  it('computes the checksum of captured packets, over IPv4 and IPv6', () => {
    const ipv4 = Ipv4.read(V2);
    expect(Udp.computeChecksum(ipv4.source, ipv4.destination, V2.subarray(20))).toBe(Udp.read(V2, 20).checksum);
    const ipv6 = Ipv6.read(V3);
    expect(Udp.computeChecksum(ipv6.source, ipv6.destination, V3.subarray(40))).toBe(Udp.read(V3, 40).checksum);
  });

  it('sends a computed checksum of 0 as 65535', () => {
    const zero = new Uint8Array(16);
    // 17 + 8 (pseudo-header) + 8 (length) + 0xffde = 0xffff, whose complement is 0.
    const datagram = Udp.write({ sourcePort: 0xffde, destinationPort: 0, length: 8 });
    expect(Udp.computeChecksum(zero, zero, datagram)).toBe(0xffff);
  });
});

describe('Base transport header', () => {
  it('is the inverse of its reader for all values', () => {
    const header = fc.record({
      opcode: bits(8),
      solicitedEvent: fc.boolean(),
      migrationRequest: fc.boolean(),
      padCount: bits(2),
      transportVersion: bits(4),
      pKey: bits(16),
      fecn: fc.boolean(),
      becn: fc.boolean(),
      reserved6: bits(6),
      destQpn: bits(24),
      ackRequest: fc.boolean(),
      reserved7: bits(7),
      psn: bits(24),
    });
    fc.assert(fc.property(header, (value) => {
      expect(Bth.read(Bth.write(value))).toEqual(value);
    }));
  });

  it('reports the fields of captured packets', () => {
    for (const { truth, bytes } of readKnownFrames()) {
      if (truth.class !== 'cnp') continue;
      const at = new Ethernet.View(bytes).payloadOffset + (truth.ip_version === '4' ? 28 : 48);
      expect(Bth.read(bytes, at)).toMatchObject({
        opcode: 0x81,
        destQpn: Number(truth.dest_qp),
        pKey: Number(truth.pkey),
        becn: truth.becn === '1',
      });
    }
  });

  it.each([
    ['opcode', 256],
    ['destQpn', 2 ** 24],
    ['pKey', -1],
    ['psn', 1.5],
    ['padCount', 4],
    ['reserved6', 64],
    ['reserved7', 128],
    ['transportVersion', 16],
  ])('names the field %s when it is %s', (name, value) => {
    const attempt = () => Bth.write({ opcode: 0x81, destQpn: 1, [name]: value });
    expect(attempt).toThrow(RoceError);
    expect(attempt).toThrow(new RegExp(`bth\\.${name}`));
  });

  it('rejects a target that is too short', () => {
    expect(() => Bth.writeInto(new Uint8Array(12), 1, { opcode: 0x81, destQpn: 1 })).toThrow(/needs .* available/);
  });
});
