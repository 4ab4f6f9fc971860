import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { DscpMap } from '../../src/wire/discovery/qos-parts.js';
import { fitQosData, QosData } from '../../src/wire/discovery/qos-data.js';
import { computeIcmpChecksum } from '../../src/wire/internet-checksum.js';
import { padIpv4Options, readIpv4Options, RoceFc6Option, RoceFcFlagsOption, type RoceFcHead, RoceFcOption,
  RoceFcIcmp } from '../../src/wire/discovery/roce-fc.js';
import { ReplyPacket, type DiscoveryOptionTypes, RequestPacket } from '../../src/wire/discovery/packets.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { Ipv4 } from '../../src/wire/ip/ipv4.js';
import { Ipv6 } from '../../src/wire/ip/ipv6.js';
import { fromHex, toHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const bytesUpTo = (maxLength: number) => fc.uint8Array({ maxLength });
const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });
const ipv4Address = bytes(4).map((a) => Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...a]));
const ipv6Address = bytes(16).map((a) => Uint8Array.from([0x20, ...a.subarray(1)]));
const ORIGINATOR = parseIpAddress('10.0.0.1');
const ORIGINATOR6 = parseIpAddress('2001:db8::1');

/** Expects a typed error for every truncation. */
function expectTruncationsRejected(whole: Uint8Array, parse: (bytes: Uint8Array) => unknown): void {
  expect(() => parse(whole)).not.toThrow();
  for (let length = 0; length < whole.length; length++) {
    let error: unknown;
    try {
      parse(whole.slice(0, length));
    } catch (caught) {
      error = caught;
    }
    expect(error, `${length} of ${whole.length} bytes`).toBeInstanceOf(RoceError);
    expect(error).toMatchObject({ code: 'invalid-packet' });
  }
}

/** Whether the value read from random bytes, if any, is written as the same bytes. */
function expectRebuilt(parseAndBuild: (bytes: Uint8Array) => Uint8Array, bytes: Uint8Array): boolean {
  let built: Uint8Array;
  try {
    built = parseAndBuild(bytes);
  } catch (error) {
    expect(error).toMatchObject({ name: 'RoceError', code: 'invalid-packet' });
    return false;
  }
  expect(toHex(built)).toBe(toHex(bytes.subarray(0, built.length)));
  return true;
}

describe('IP_OPT_ROCE_FC of IPv4', () => {
  const common = {
    type: fc.integer({ min: 2, max: 255 }),
    idNumber: bits(16),
    outboundHopCount: bits(16),
    returnHopCount: bits(16),
    originator: ipv4Address,
  };
  const short = fc.record({
    ...common,
    head: fc.constant<RoceFcHead>('type-length'),
    flags: fc.constant(0),
    data: bytesUpTo(28),
  });
  const long = fc.record({ ...common, head: fc.constant<RoceFcHead>('flags'), flags: bits(16), data: bytesUpTo(26) });

  it('is laid out as in figure 1, with type and length instead of the flags', () => {
    const option = RoceFcOption.write({ idNumber: 0x1234, originator: ORIGINATOR, data: fromHex('aabb') });
    expect(toHex(option)).toBe('5e0e12340000ffff0a000001aabb');
  });

  it('is laid out as in figure 1 after type and length, if it has flags', () => {
    const fields = { head: 'flags', flags: 0x8001, outboundHopCount: 7, data: fromHex('aabb') } as const;
    const option = RoceFcOption.write({ idNumber: 0x1234, originator: ORIGINATOR, type: 0x9e, ...fields });
    expect(toHex(option)).toBe('9e10800112340007ffff0a000001aabb');
  });

  it('is the inverse of its reader for all values', () => {
    fc.assert(fc.property(fc.oneof(short, long), (value) => {
      expect(RoceFcOption.read(RoceFcOption.write(value), 0, value.head)).toEqual(value);
    }));
  });

  it('is rebuilt byte for byte', () => {
    const heads: RoceFcHead[] = ['type-length', 'flags'];
    fc.assert(
      fc.property(bytes(50), fc.integer({ min: 8, max: 44 }), fc.constantFrom(...heads), (bytes, length, head) => {
        bytes[1] = length;
        const good = expectRebuilt((b) => RoceFcOption.write(RoceFcOption.read(b, 0, head)), bytes);
        expect(good).toBe(bytes[0]! > 1 && length <= 40 && length >= (head === 'flags' ? 14 : 12));
      }),
    );
  });

  it('rejects every truncation', () => {
    for (const head of ['type-length', 'flags'] as const) {
      const whole = RoceFcOption.write({ head, idNumber: 1, originator: ORIGINATOR, data: new Uint8Array(20) });
      expectTruncationsRejected(whole, (bytes) => RoceFcOption.read(bytes, 0, head));
    }
  });

  it('matches its layout data', () => {
    const repair = (bytes: Uint8Array) => bytes.set([bytes[0]! | 2, bytes.length]);
    const notInValue = ['length'];
    expectLayout(RoceFcOption, (bytes) => RoceFcOption.read(bytes), { repair, notInValue });
    const parseFlags = (bytes: Uint8Array) => RoceFcOption.read(bytes, 0, 'flags');
    expectLayout(RoceFcFlagsOption, parseFlags, { repair, notInValue });
  });

  it('accepts the data that fits 40 bytes of options, and reports the limit', () => {
    const fits = (head: RoceFcHead, count: number) =>
      RoceFcOption.write({ head, idNumber: 1, originator: ORIGINATOR, data: new Uint8Array(count) }).length;
    expect(fits('type-length', 28)).toBe(40);
    expect(fits('flags', 26)).toBe(40);
    expect(() => fits('type-length', 29)).toThrow(
      /^roceFcOption\.data: length of the roce-fc option must be between 12 and 40 bytes \(got 41\)\.$/,
    );
    expect(() => fits('flags', 64)).toThrow(
      /^roceFcOption\.data: length of the roce-fc option must be between 14 and 40 bytes \(got 78\)\.$/,
    );
    expect(() => RoceFcOption.writeInto(new Uint8Array(12), 1, { idNumber: 1, originator: ORIGINATOR })).toThrow(
      /needs .* available/,
    );
  });

  it.each([
    ['type', { type: 1 }],
    ['flags', { flags: 1 }],
    ['flags', { head: 'flags' as const, flags: 65536 }],
    ['idNumber', { idNumber: -1 }],
    ['outboundHopCount', { outboundHopCount: 65536 }],
    ['returnHopCount', { returnHopCount: 0.5 }],
    ['originator', { originator: ORIGINATOR6 }],
    ['originator', { originator: new Uint8Array(4) }],
    ['head', { head: 'both' as RoceFcHead }],
  ])('names the field %s when it is out of range', (name, fields) => {
    const attempt = () => RoceFcOption.write({ idNumber: 1, originator: ORIGINATOR, ...fields });
    expect(attempt).toThrow(RoceError);
    expect(attempt).toThrow(new RegExp(`roceFcOption\\.${name}`));
  });

  it('has views that do not copy, and that can be moved', () => {
    const one = RoceFcOption.write({ idNumber: 1, originator: ORIGINATOR, data: fromHex('01') });
    const two = RoceFcOption.write({ idNumber: 2, originator: ORIGINATOR });
    const view = new RoceFcOption.View(one);
    one[12] = 0x77;
    expect(view.data).toEqual(fromHex('77'));
    expect(view.moveTo(two, 0).idNumber).toBe(2);
    expect(view.payloadOffset).toBe(12);
  });

  it('is found among other options, in an area that is padded to whole words', () => {
    const area = padIpv4Options(fromHex('0194045e0f5e03aa'));
    expect(readIpv4Options(area, 0, area.length).map(({ type, offset }) => [type, offset])).toEqual([[0x94, 1], [
      0x5e,
      5,
    ]]);
    expect(padIpv4Options(fromHex('5e05010203'))).toEqual(fromHex('5e05010203000000'));
    expect(() => readIpv4Options(fromHex('5e010000'), 0, 4)).toThrow(/wrong length/);
    expect(() => readIpv4Options(fromHex('5e050000'), 0, 4)).toThrow(/needs .* available/);
    expect(() => readIpv4Options(fromHex('0101015e'), 0, 4)).toThrow(/needs .* available/);
  });
});

describe('IP_OPT_ROCE_FC of IPv6', () => {
  const value = fc.record({
    type: bits(8).map((type) => type | 0x20),
    flags: bits(16),
    idNumber: bits(16),
    outboundHopCount: bits(16),
    returnHopCount: bits(16),
    originator: bytes(16),
    data: bytesUpTo(64),
  });

  it('has the fields of figure 1 with a wider originator', () => {
    const option = RoceFc6Option.write({ idNumber: 0x1234, originator: ORIGINATOR6, data: fromHex('aabb') });
    expect(toHex(option)).toBe('3e1a000012340000ffff20010db8000000000000000000000001aabb');
  });

  it('is the inverse of its reader for all values', () => {
    fc.assert(fc.property(value, (v) => {
      expect(RoceFc6Option.read(RoceFc6Option.write(v))).toEqual(v);
    }));
  });

  it('is rebuilt byte for byte', () => {
    fc.assert(fc.property(bytes(92), fc.integer({ min: 20, max: 92 }), (bytes, length) => {
      bytes[1] = length;
      const good = expectRebuilt((b) => RoceFc6Option.write(RoceFc6Option.read(b)), bytes);
      expect(good).toBe((bytes[0]! & 0x20) !== 0 && length >= 24 && length <= 88);
    }));
  });

  it('rejects every truncation', () => {
    const whole = RoceFc6Option.write({ idNumber: 1, originator: ORIGINATOR6, data: new Uint8Array(64) });
    expectTruncationsRejected(whole, RoceFc6Option.read);
  });

  it('matches its layout data', () => {
    const repair = (bytes: Uint8Array) => bytes.set([bytes[0]! | 0x20, 24]);
    expectLayout(RoceFc6Option, RoceFc6Option.read, { repair, notInValue: ['length'] });
  });

  it('rejects more than 64 bytes of data, and a type that forbids counting', () => {
    const fields = { idNumber: 1, originator: ORIGINATOR6 };
    expect(() => RoceFc6Option.write({ ...fields, data: new Uint8Array(65) })).toThrow(/roceFc6Option\.data/);
    expect(() => RoceFc6Option.write({ ...fields, type: 0x1e })).toThrow(/change bit/);
    expect(() => RoceFc6Option.writeInto(new Uint8Array(26), 1, fields)).toThrow(/needs .* available/);
    expect(new RoceFc6Option.View(RoceFc6Option.write(fields)).payloadOffset).toBe(26);
  });
});

describe('ICMP_TYPE_ROCE_FC', () => {
  const reply = {
    code: bits(8),
    idNumber: bits(16),
    flags: bits(16),
    outboundHopCount: bits(16),
    returnHopCount: bits(16),
    data: bytesUpTo(64),
  };
  const message = fc.record({ ...reply, type: bits(8), checksum: bits(16) });
  const ANSWER = {
    code: 2,
    idNumber: 0x1234,
    flags: 1,
    outboundHopCount: 3,
    returnHopCount: 3,
    data: fromHex('aabbcc'),
  };

  it('is laid out as in figure 2, with the checksum of ICMPv4', () => {
    // fd02 + 1234 + 0001 + 0003 + 0003 + aabb + cc00 = 285f8, folded 85fa, complement 7a05.
    expect(toHex(RoceFcIcmp.write(ANSWER))).toBe('fd027a051234000100030003aabbcc');
  });

  it('covers the pseudo-header in ICMPv6', () => {
    const pseudoHeader = { source: parseIpAddress('::1'), destination: parseIpAddress('::2') };
    // As above with c802 for fd02, and 1 + 2 + length 15 + 58: 25144, folded 5146, complement aeb9.
    expect(toHex(RoceFcIcmp.write({ ...ANSWER, pseudoHeader }))).toBe('c802aeb91234000100030003aabbcc');
  });

  it('computes the checksum of a captured ping', () => {
    const echo = fromHex('08004d5a00010001 6162636465666768696a6b6c6d6e6f7071727374757677616263646566676869');
    expect(computeIcmpChecksum(echo, 0, echo.length)).toBe(0x4d5a);
    expect(() => computeIcmpChecksum(echo, 0, 3)).toThrow(/icmp .* needs/);
  });

  it('is the inverse of its reader for all values', () => {
    fc.assert(fc.property(message, (v) => {
      expect(RoceFcIcmp.read(RoceFcIcmp.write(v))).toEqual(v);
    }));
  });

  it('is rebuilt byte for byte', () => {
    fc.assert(fc.property(bytesUpTo(80), (bytes) => {
      const good = expectRebuilt((b) => RoceFcIcmp.write(RoceFcIcmp.read(b)), bytes);
      expect(good).toBe(bytes.length >= 12 && bytes.length <= 76);
    }));
  });

  it('rejects every truncation of the fixed part', () => {
    expectTruncationsRejected(RoceFcIcmp.write({ ...ANSWER, data: new Uint8Array(0) }), RoceFcIcmp.read);
  });

  it('matches its layout data', () => {
    expectLayout(RoceFcIcmp, RoceFcIcmp.read);
  });

  it('rejects more than 64 bytes of data, and a target that is too short', () => {
    expect(() => RoceFcIcmp.write({ ...ANSWER, data: new Uint8Array(65) })).toThrow(/roceFcIcmp\.data/);
    expect(() => RoceFcIcmp.read(new Uint8Array(77))).toThrow(
      /wrong length \(got 77\); allowed: between 12 and 76 bytes/,
    );
    expect(() => RoceFcIcmp.writeInto(new Uint8Array(14), 0, ANSWER)).toThrow(/needs .* available/);
    expect(new RoceFcIcmp.View(RoceFcIcmp.write(ANSWER)).data).toEqual(ANSWER.data);
  });

  it.each(['code', 'idNumber', 'flags', 'outboundHopCount', 'returnHopCount'])('names the field %s', (name) => {
    expect(() => RoceFcIcmp.write({ ...ANSWER, [name]: 65536 })).toThrow(new RegExp(`roceFcIcmp\\.${name}`));
  });

  it('identifies the final destination only by the last flag', () => {
    expect([0, 1, 2, 0x8001].map((flags) => RoceFcIcmp.isFinalDestination({ flags }))).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});

const percent = fc.integer({ min: 0, max: 100 });
const unknownParts = fc.uniqueArray(fc.record({ type: fc.integer({ min: 8, max: 255 }), value: bytesUpTo(9) }), {
  minLength: 1,
  maxLength: 3,
  selector: ({ type }) => type,
}).map((parts) => parts.sort((a, b) => a.type - b.type));
const classes = {
  kind: bits(4),
  losslessPriorities: bits(8),
  pfcPriorities: bits(8),
  ecnPriorities: bits(8),
  trustMode: bits(8),
  roceDscp: bits(6),
  rocePriority: bits(3),
  cnpDscp: bits(6),
  cnpPriority: bits(3),
};
const qosData = fc.record({
  ...classes,
  mtuBytes: bits(16),
  dscpMapHash: bits(32),
  pfcLevels: fc.integer({ min: 0, max: 8 }),
  dscpToPriority: fc.array(bits(3), { minLength: 64, maxLength: 64 }),
  etsShares: fc.array(percent, { minLength: 8, maxLength: 8 }),
  rejection: bits(8),
  unknownParts,
}, { requiredKeys: Object.keys(classes) as (keyof typeof classes)[] });

const BASIC: QosData = {
  kind: 0,
  losslessPriorities: 8,
  pfcPriorities: 8,
  ecnPriorities: 0x48,
  trustMode: 2,
  roceDscp: 26,
  rocePriority: 3,
  cnpDscp: 48,
  cnpPriority: 6,
};
const DEFAULT_MAP = Array.from({ length: 64 }, (_, dscp) => dscp >> 3);
const ALL: QosData = {
  ...BASIC,
  kind: 4,
  mtuBytes: 9000,
  pfcLevels: 2,
  dscpToPriority: DEFAULT_MAP,
  etsShares: [10, 0, 0, 80, 0, 0, 10, 0],
  rejection: 5,
};

describe('class/QoS map data', () => {
  it('is laid out as documented', () => {
    expect(toHex(QosData.write(BASIC))).toBe('10010808084802' + '1a033006');
    expect(toHex(QosData.write({ ...BASIC, kind: 2, mtuBytes: 9000, dscpMapHash: 0x89abcdef, pfcLevels: 2 })))
      .toBe('120108080848021a033006' + '02022328' + '030489abcdef' + '040102');
    const map = '0000002492494924926db6db924924b6db6ddb6db6ffffff';
    expect(toHex(QosData.write(ALL)))
      .toBe('140108080848021a033006' + '02022328' + '040102' + `0518${map}` + '06080a00005000000a00' + '070105');
  });

  it('is the inverse of its reader for all values', () => {
    fc.assert(fc.property(qosData, (v) => {
      expect(QosData.read(QosData.write(v as QosData))).toEqual(v);
      expect(QosData.lenBytesOf(v as QosData)).toBe(QosData.write(v as QosData).length);
    }));
  });

  it('is rebuilt byte for byte, or rejected by a typed error', () => {
    fc.assert(fc.property(qosData, bytesUpTo(6), bits(8), bits(8), (v, tail, at, byte) => {
      const bytes = Uint8Array.from([...QosData.write(v as QosData), ...tail]);
      bytes[at % bytes.length] = byte;
      expectRebuilt((b) => QosData.write(QosData.read(b)), bytes);
    }));
  });

  it('rejects every truncation within a part', () => {
    expectTruncationsRejected(QosData.write(BASIC), QosData.read);
    const whole = QosData.write(ALL);
    const ends = [11, 15, 18, 44, 54, 57];
    for (let length = 0; length <= whole.length; length++) {
      const parse = () => QosData.read(whole.slice(0, length));
      if (ends.includes(length)) expect(parse).not.toThrow();
      else expect(parse, `${length}`).toThrow(RoceError);
    }
  });

  it('matches its layout data', () => {
    const repair = (bytes: Uint8Array) => {
      bytes[0] = 0x10 | (bytes[0]! & 15);
      bytes.set([1, 8], 1);
      bytes.set([bytes[7]! & 63, bytes[8]! & 7, bytes[9]! & 63, bytes[10]! & 7], 7);
    };
    expectLayout(QosData, QosData.read, { repair, notInValue: ['version', 'partType', 'partLength'] });
  });

  it.each([
    ['another version', '20010808084802' + '1a033006'],
    ['another part type', '10020808084802' + '1a033006'],
    ['another part length', '10010908084802' + '1a033006'],
    ['out of range', '10010808084802' + '40033006'],
    ['out of range', '10010808084802' + '1a083006'],
    ['out of order', '10010808084802' + '1a033006' + '0108'],
    ['out of order', '10010808084802' + '1a033006' + '0701000401' + '02'],
    ['out of order', '10010808084802' + '1a033006' + '07010007' + '0100'],
    ['wrong length', '10010808084802' + '1a033006' + '0203000000'],
    ['out of range', '10010808084802' + '1a033006' + '040109'],
    ['out of range', '10010808084802' + '1a033006' + '06080000000000000065'],
  ])('is rejected with the reason: %s', (words, hex) => {
    expect(() => QosData.read(fromHex(hex))).toThrow(new RegExp(words));
  });

  it('names fields out of range', () => {
    const bad: Partial<QosData>[] = [
      { kind: 16 },
      { losslessPriorities: 256 },
      { trustMode: -1 },
      { roceDscp: 64 },
      { cnpPriority: 8 },
      { mtuBytes: 65536 },
      { dscpMapHash: 2 ** 32 },
      { pfcLevels: 9 },
      { rejection: 256 },
      { dscpToPriority: [1] },
      { dscpToPriority: DEFAULT_MAP.map(() => 8) },
      { etsShares: [1] },
      { etsShares: ALL.etsShares!.map(() => 101) },
      { unknownParts: [{ type: 7, value: new Uint8Array(0) }] },
      { unknownParts: [{ type: 9, value: new Uint8Array(256) }] },
      { unknownParts: [{ type: 9, value: new Uint8Array(0) }, { type: 9, value: new Uint8Array(0) }] },
    ];
    for (const fields of bad) {
      const attempt = () => QosData.write({ ...BASIC, ...fields });
      expect(attempt).toThrow(RoceError);
      expect(attempt).toThrow(new RegExp(`qosData\\.${Object.keys(fields)[0]!}`));
    }
    expect(() => QosData.writeInto(new Uint8Array(10), 0, BASIC)).toThrow(/needs .* available/);
    expect(new QosData.View(QosData.write(BASIC)).version).toBe(1);
  });

  it('fits IPv4 with the hash of the map instead of the map', () => {
    const { unknownParts: none, ...fitting } = fitQosData({ ...ALL, kind: 2, rejection: 0 }, 26);
    expect(none).toBeUndefined();
    expect(fitting).toEqual({
      ...BASIC,
      kind: 2,
      rejection: 0,
      mtuBytes: 9000,
      dscpMapHash: DscpMap.hash(DEFAULT_MAP),
    });
    expect(QosData.lenBytesOf(fitting)).toBe(24);
  });

  it('fits 64 bytes unchanged, and is rejected for a limit that is too small', () => {
    expect(fitQosData(ALL, 64)).toBe(ALL);
    expect(fitQosData(BASIC, 11)).toEqual(BASIC);
    expect(fitQosData(ALL, 14)).toEqual({ ...BASIC, kind: 4, rejection: 5 });
    expect(() => fitQosData(ALL, 13)).toThrow(/at least 11 bytes/);
  });

  it('hashes maps as FNV-1a does', () => {
    // XOR with 0 has no effect, so the hash is the basis times the prime to the 64th, modulo 2^32.
    const zeros = DEFAULT_MAP.map(() => 0);
    const expected = (0x811c9dc5n * 0x01000193n ** 64n) % 2n ** 32n;
    expect(BigInt(DscpMap.hash(zeros))).toBe(expected);
    expect(DscpMap.hash(DEFAULT_MAP)).not.toBe(DscpMap.hash(DEFAULT_MAP.with(26, 0)));
  });
});

describe('packets with a request', () => {
  const request = (originator: typeof ipv4Address, room: number, flags: fc.Arbitrary<number>) =>
    fc.record({
      flags,
      idNumber: bits(16),
      outboundHopCount: bits(16),
      returnHopCount: bits(16),
      originator,
      data: bytesUpTo(room),
    });
  const common = { protocol: bits(8), payload: bytesUpTo(40), dscp: bits(6), ecn: bits(2), hopLimit: bits(8) };
  const packet4 = fc.record({
    ...common,
    source: ipv4Address,
    destination: ipv4Address,
    request: request(ipv4Address, 28, fc.constant(0)),
    flowLabel: fc.constant(0),
    identification: bits(16),
  });
  const packet6 = fc.record({
    ...common,
    source: ipv6Address,
    destination: ipv6Address,
    request: request(ipv6Address, 64, bits(16)),
    // Excludes extension headers, whose bytes are not random.
    protocol: bits(8).filter((type) => ![0, 43, 60].includes(type)),
    flowLabel: bits(20),
    identification: fc.constant(0),
  });
  const PING = {
    source: ORIGINATOR,
    destination: parseIpAddress('10.0.9.1'),
    protocol: 1,
    payload: fromHex('0800f7fe00010000'),
    request: {
      flags: 0,
      idNumber: 0x1234,
      outboundHopCount: 0,
      returnHopCount: 0xffff,
      originator: ORIGINATOR,
      data: fromHex('10010808084802' + '1a033006'),
    },
  };
  const PING6 = {
    ...PING,
    source: ORIGINATOR6,
    destination: parseIpAddress('2001:db8::9'),
    protocol: 58,
    request: { ...PING.request, originator: ORIGINATOR6 },
  };

  it('are the inverse of their reader for all values, over IPv4 and IPv6', () => {
    fc.assert(fc.property(fc.oneof<fc.Arbitrary<RequestPacket>[]>(packet4, packet6), (packet) => {
      expect(RequestPacket.read(RequestPacket.write(packet))).toEqual(packet);
    }));
  });

  it('are IPv4 packets with 23 bytes of options and one of padding', () => {
    const bytes = RequestPacket.write(PING);
    const header = Ipv4.read(bytes);
    expect(header).toMatchObject({
      totalLength: 52,
      flags: 2,
      ttl: 64,
      protocol: 1,
      checksum: Ipv4.computeChecksum(bytes),
    });
    expect(toHex(header.options)).toBe('5e1712340000ffff0a00000110010808084802' + '1a033006' + '00');
    expect(toHex(bytes.subarray(44))).toBe(toHex(PING.payload));
  });

  it('are IPv6 packets whose first extension header is Hop-by-Hop', () => {
    const bytes = RequestPacket.write(PING6);
    expect(Ipv6.read(bytes)).toMatchObject({ nextHeader: 0, payloadLength: 48 });
    expect(toHex(bytes.subarray(40))).toBe(
      '3a043e230000' + '12340000ffff20010db8000000000000000000000001' + '100108080848021a033006' + '00' +
        '0800f7fe00010000',
    );
  });

  it('reject every truncation', () => {
    for (const packet of [PING, PING6]) {
      expectTruncationsRejected(RequestPacket.write(packet), (bytes) => RequestPacket.read(bytes));
    }
  });

  it("are read without a frame's padding", () => {
    const bytes = Uint8Array.from([...RequestPacket.write(PING), 0, 0, 0]);
    expect(RequestPacket.read(bytes)?.payload).toEqual(PING.payload);
    expect(RequestPacket.forward(bytes, 1)).toHaveLength(bytes.length - 3);
  });

  it('reject a total length within the header', () => {
    const bytes = RequestPacket.write(PING);
    bytes[3] = 43;
    const checksum = Ipv4.computeChecksum(bytes);
    bytes.set([checksum >> 8, checksum & 255], 10);
    expect(() => RequestPacket.read(bytes)).toThrow(/short total length \(got 43\); allowed: at least 44/);
  });

  it('have the configured types and header fields', () => {
    const types: DiscoveryOptionTypes = { ipv4OptionType: 0x9e, head: 'flags', ipv6OptionType: 0x3f };
    const flagged = { ...PING, request: { ...PING.request, flags: 7 } };
    expect(RequestPacket.read(RequestPacket.write(flagged, types), types)?.request).toEqual(flagged.request);
    expect(RequestPacket.read(RequestPacket.write(flagged, types))).toBeUndefined();
    expect(RequestPacket.read(RequestPacket.write(PING6, types), types)?.request).toEqual(PING6.request);
    expect(RequestPacket.read(RequestPacket.write(PING6, types))).toBeUndefined();
    expect(() => RequestPacket.write(flagged)).toThrow(/roceFcOption\.flags/);
  });

  it('reject a wrong header checksum, two options, and addresses of two families', () => {
    const bytes = RequestPacket.write(PING);
    bytes[8]! ^= 1;
    expect(() => RequestPacket.read(bytes)).toThrow(/wrong checksum/);
    expect(() => RequestPacket.write({ ...PING, destination: ORIGINATOR6 })).toThrow(/different families/);
    const double = RequestPacket.write({ ...PING, request: { ...PING.request, data: new Uint8Array(12) } });
    double[21] = 12;
    double.set([0x5e, 12], 32);
    const checksum = Ipv4.computeChecksum(double);
    double.set([checksum >> 8, checksum & 255], 10);
    expect(() => RequestPacket.read(double)).toThrow(/duplicate option/);
  });

  it('are forwarded with the hop count incremented and the TTL decremented, the rest unchanged', () => {
    fc.assert(fc.property(fc.oneof<fc.Arbitrary<RequestPacket>[]>(packet4, packet6), bits(16), (packet, count) => {
      const bytes = RequestPacket.write(packet);
      const forwarded = RequestPacket.forward(bytes, count);
      expect(forwarded === undefined).toBe(packet.hopLimit <= 1);
      if (forwarded === undefined) return;
      const { hopLimit, request } = packet;
      expect(RequestPacket.read(forwarded)).toEqual({
        ...packet,
        hopLimit: hopLimit - 1,
        request: { ...request, outboundHopCount: count },
      });
    }));
  });
});

describe('packets with a reply', () => {
  const reply = fc.record({
    code: bits(8),
    idNumber: bits(16),
    flags: bits(16),
    outboundHopCount: bits(16),
    returnHopCount: bits(16),
    data: bytesUpTo(64),
  });
  const packet = (address: typeof ipv4Address) =>
    fc.record({ source: address, destination: address, reply, dscp: bits(6), hopLimit: bits(8) });
  const ANSWER = { code: 0, idNumber: 9, flags: 0, outboundHopCount: 1, returnHopCount: 1, data: QosData.write(BASIC) };
  const PACKET = { source: parseIpAddress('10.0.1.1'), destination: ORIGINATOR, reply: ANSWER };
  const PACKET6 = { source: parseIpAddress('2001:db8::2'), destination: ORIGINATOR6, reply: ANSWER };

  it('are the inverse of their reader for all values, over IPv4 and IPv6', () => {
    fc.assert(fc.property(fc.oneof<fc.Arbitrary<ReplyPacket>[]>(packet(ipv4Address), packet(ipv6Address)), (value) => {
      expect(ReplyPacket.read(ReplyPacket.write(value))).toEqual(value);
    }));
  });

  it('reject every truncation', () => {
    for (const value of [PACKET, PACKET6])
      expectTruncationsRejected(ReplyPacket.write(value), (bytes) => ReplyPacket.read(bytes));
  });

  it('end at the length of the IP header, before any padding', () => {
    for (const value of [PACKET, PACKET6]) {
      const bytes = Uint8Array.from([...ReplyPacket.write(value), 1, 2, 3]);
      expect(ReplyPacket.read(bytes)?.reply).toEqual(ANSWER);
    }
  });

  it('are not recognized in fragments', () => {
    for (const fragment of [[0x20, 0], [0, 1]]) {
      const bytes = ReplyPacket.write(PACKET);
      bytes.set(fragment, 6);
      const checksum = Ipv4.computeChecksum(bytes);
      bytes.set([checksum >> 8, checksum & 255], 10);
      expect(ReplyPacket.read(bytes)).toBeUndefined();
    }
  });

  it('reject each byte that was changed in flight', () => {
    for (const value of [PACKET, PACKET6]) {
      const bytes = ReplyPacket.write(value);
      for (let at = bytes.length - 23; at < bytes.length; at++) {
        const damaged = bytes.with(at, bytes[at]! ^ 4);
        if (at === bytes.length - 23) expect(ReplyPacket.read(damaged)).toBeUndefined();
        else expect(() => ReplyPacket.read(damaged), `byte ${at}`).toThrow(/wrong checksum/);
      }
    }
  });

  it('are distinguished from other ICMP messages and other protocols', () => {
    const types = { icmpType: 254, icmpv6Type: 201 };
    for (const value of [PACKET, PACKET6]) {
      expect(ReplyPacket.read(ReplyPacket.write(value, types), types)?.reply).toEqual(ANSWER);
      expect(ReplyPacket.read(ReplyPacket.write(value, types))).toBeUndefined();
    }
    const { source, destination } = PACKET;
    const request = { flags: 0, idNumber: 1, outboundHopCount: 0, returnHopCount: 0xffff, originator: ORIGINATOR };
    const probe = { source, destination, protocol: 17, payload: new Uint8Array(8) };
    const bytes = RequestPacket.write({ ...probe, request: { ...request, data: new Uint8Array(0) } });
    expect(ReplyPacket.read(bytes)).toBeUndefined();
    expect(() => ReplyPacket.write({ ...PACKET, destination: ORIGINATOR6 })).toThrow(/different families/);
  });
});
