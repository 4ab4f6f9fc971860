import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { FragmentHeader, Ipv6 } from '../../src/wire/ip/ipv6.js';
import { ParameterProblem } from '../../src/wire/ip/icmpv6-parameter-problem.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { FAST_CNP_ICRC, FAST_CNP_WITHOUT_ICRC, fromHex, toHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });

/** From the capture corpus: a later fragment of a UDP datagram. */
const FRAGMENT = fromHex('11000229 90c4a2a8');

describe('Fragment header', () => {
  it('reports the fields of a captured fragment', () => {
    expect(FragmentHeader.read(FRAGMENT)).toEqual({
      nextHeader: 17,
      reserved8: 0,
      fragmentOffset: 69,
      reserved2: 0,
      moreFragments: true,
      identification: 0x90c4a2a8,
    });
  });

  it('is the inverse of its reader, both ways', () => {
    const headers = fc.record({
      nextHeader: bits(8),
      reserved8: bits(8),
      fragmentOffset: bits(13),
      reserved2: bits(2),
      moreFragments: fc.boolean(),
      identification: bits(32),
    });
    fc.assert(fc.property(bytes(8), (bytes) => {
      expect(FragmentHeader.write(FragmentHeader.read(bytes))).toEqual(bytes);
    }));
    fc.assert(fc.property(headers, (value) => {
      expect(FragmentHeader.read(FragmentHeader.write(value))).toEqual(value);
    }));
  });

  it('has the stated layout', () => {
    expectLayout(FragmentHeader, FragmentHeader.read);
  });

  it('sends reserved bits as 0 unless stated otherwise', () => {
    const fields = { nextHeader: 17, fragmentOffset: 69, moreFragments: true, identification: 0x90c4a2a8 };
    expect(toHex(FragmentHeader.write(fields))).toBe(toHex(FRAGMENT));
  });

  it('always has 8 bytes, and is rejected with fewer', () => {
    expect(new FragmentHeader.View(FRAGMENT).payloadOffset).toBe(8);
    for (let length = 0; length < 8; length++) {
      expect(() => FragmentHeader.read(FRAGMENT.subarray(0, length))).toThrow(
        expect.objectContaining({ code: 'invalid-packet', layer: 'fragment header', offset: 0 }),
      );
    }
  });

  it.each([
    ['nextHeader', 256],
    ['reserved8', 256],
    ['fragmentOffset', 8192],
    ['reserved2', 4],
    ['identification', 2 ** 32],
  ])('names the field %s when it is %d', (name, value) => {
    expect(() => FragmentHeader.write({ ...FragmentHeader.read(FRAGMENT), [name]: value })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where: `fragment.${name}` }),
    );
  });

  it('is rejected if the target is too short', () => {
    expect(() => FragmentHeader.writeInto(new Uint8Array(8), 1, FragmentHeader.read(FRAGMENT))).toThrow(
      /needs .* available/,
    );
  });
});

/** A Fast CNP; its option type is at byte 46. */
const FAST_CNP = Uint8Array.from([...FAST_CNP_WITHOUT_ICRC, ...fromHex(FAST_CNP_ICRC.literal)]);
const OPTION_AT = 46;
const NODE = parseIpAddress('2001:db8:1::10');
const SWITCH = parseIpAddress('2001:db8:ffff::1');
const MULTICAST = parseIpAddress('ff02::1');

const changed = (...changes: [number, Uint8Array | readonly number[]][]) => {
  const packet = FAST_CNP.slice();
  for (const [at, bytes] of changes) packet.set(bytes, at);
  return packet;
};

describe('ICMPv6 Parameter Problem', () => {
  it('is the inverse of its reader, both ways', () => {
    const problems = fc.record({
      code: bits(8),
      checksum: bits(16),
      pointer: bits(32),
      invokingPacket: fc.uint8Array({ maxLength: 100 }),
    });
    const messages = fc.uint8Array({ minLength: 7, maxLength: 60 }).map((tail) => Uint8Array.from([4, ...tail]));
    fc.assert(fc.property(messages, (bytes) => {
      expect(ParameterProblem.write(ParameterProblem.read(bytes))).toEqual(bytes);
    }));
    fc.assert(fc.property(problems, (value) => {
      expect(ParameterProblem.read(ParameterProblem.write(value))).toEqual(value);
    }));
  });

  it('has the stated layout', () => {
    const repair = (bytes: Uint8Array) => {
      bytes[0] = 4;
    };
    expectLayout(ParameterProblem, ParameterProblem.read, { repair, notInValue: ['type'] });
  });

  it('is rejected if truncated within its first 8 bytes, and with another type', () => {
    const bytes = fromHex('0402a2d10000002e');
    expect(new ParameterProblem.View(bytes).payloadOffset).toBe(8);
    for (let length = 0; length < 8; length++) {
      const attempt = () => ParameterProblem.read(bytes.subarray(0, length));
      expect(attempt).toThrow(RoceError);
      expect(attempt).toThrow(expect.objectContaining({ code: 'invalid-packet', available: length }));
      expect(() => ParameterProblem.read(bytes, 0, length)).toThrow(/needs .* available/);
    }
    expect(() => ParameterProblem.read(fromHex('0300000000000000'))).toThrow(/another type \(got 3\); allowed: 4/);
  });

  it('excludes the padding of a frame from the invoking packet', () => {
    const bytes = fromHex('ffff 0402a2d10000002e 6c11 0000');
    expect(toHex(ParameterProblem.read(bytes, 2, 12).invokingPacket)).toBe('6c11');
  });

  it.each([
    ['code', 256],
    ['checksum', 65536],
    ['pointer', 2 ** 32],
  ])('names the field %s when it is %d', (name, value) => {
    const problem = { code: 2, checksum: 0, pointer: 0, invokingPacket: new Uint8Array(0), [name]: value };
    expect(() => ParameterProblem.write(problem)).toThrow(
      expect.objectContaining({ code: 'invalid-argument', where: `parameterProblem.${name}` }),
    );
    expect(() => ParameterProblem.writeInto(new Uint8Array(8), 1, { ...problem, [name]: 0 })).toThrow(
      /needs .* available/,
    );
  });
});

describe('the checksum of ICMPv6', () => {
  it.each([
    ['2001:db8:a007::104', '2001:db8:a004::15b', '8000bc92000000008f9295989b9ea1a4a7aaadb0b3b6b9bc'],
    ['2001:db8:a001::a25', '2001:db8:a002::ea2', '8000119e000000002225282b2e3134373a3d404346494c4f'],
    ['2001:db8:a006::75a', '2001:db8:a005::9cd', '8700f47b0000000020010db8a005000000000000000009cd'],
  ])('equals that of captured messages from %s', (source, destination, hex) => {
    const message = fromHex(hex);
    const checksum = ParameterProblem.computeChecksum(parseIpAddress(source), parseIpAddress(destination), message);
    expect(checksum.toString(16).padStart(4, '0')).toBe(hex.slice(4, 8));
  });

  it('counts an odd last byte as the high half of a word', () => {
    const zero = new Uint8Array(16);
    // 58 + 5 (pseudo header) + 0x0400 + 0x1200 = 0x163f.
    expect(ParameterProblem.computeChecksum(zero, zero, fromHex('0400000012'))).toBe(0xffff - 0x163f);
    expect(() => ParameterProblem.computeChecksum(zero, zero, fromHex('040000'))).toThrow(/needs .* available/);
    expect(() => ParameterProblem.computeChecksum(zero.subarray(1), zero, fromHex('04000000'))).toThrow(/source/);
  });
});

describe('the ICMPv6 error for an unrecognized Fast CNP option', () => {
  it('goes to the switch, points at the option type, and quotes the packet', () => {
    const answer = ParameterProblem.packetFor(FAST_CNP, OPTION_AT, NODE);
    expect(Ipv6.read(answer)).toEqual({
      dscp: 0,
      ecn: 0,
      flowLabel: 0,
      payloadLength: 112,
      nextHeader: 58,
      hopLimit: 64,
      source: NODE,
      destination: SWITCH,
    });
    // Another program computed 0xa2d1.
    expect(toHex(answer.subarray(40))).toBe(`0402a2d10000002e${toHex(FAST_CNP)}`);
    const problem = ParameterProblem.read(answer, 40);
    expect(problem).toEqual({ code: 2, checksum: 0xa2d1, pointer: OPTION_AT, invokingPacket: FAST_CNP });
    expect(ParameterProblem.unrecognizedOptionType(problem)).toBe(0x9e);
  });

  it('has the configured code, hop limit, DSCP and flow label', () => {
    const answer = ParameterProblem.packetFor(FAST_CNP, 0, NODE, {
      code: 0,
      hopLimit: 255,
      dscp: 48,
      flowLabel: 0xabcde,
    });
    expect(Ipv6.read(answer)).toMatchObject({ hopLimit: 255, dscp: 48, flowLabel: 0xabcde });
    expect(ParameterProblem.read(answer, 40)).toMatchObject({ code: 0, pointer: 0 });
    expect(ParameterProblem.unrecognizedOptionType(ParameterProblem.read(answer, 40))).toBeUndefined();
  });

  it('has at most 1280 bytes, even if the pointer is then beyond the quoted bytes', () => {
    const long = new Uint8Array(1500);
    long.set(FAST_CNP);
    long.set([1460 >> 8, 1460 & 0xff], 4);
    long.set([17, 181], 40); // an options header up to the end
    long[1400] = 0x9e;
    const answer = ParameterProblem.packetFor(long, 1400, NODE);
    expect(answer).toHaveLength(ParameterProblem.ERROR_MAX_BYTES);
    const problem = ParameterProblem.read(answer, 40);
    expect(problem.invokingPacket).toEqual(long.slice(0, 1232));
    expect(problem.pointer).toBe(1400);
    expect(ParameterProblem.unrecognizedOptionType(problem)).toBeUndefined();
    const checksum = ParameterProblem.computeChecksum(NODE, SWITCH, answer.subarray(40));
    expect(problem.checksum).toBe(checksum);
  });

  it('does not quote bytes after the packet in the frame', () => {
    const padded = Uint8Array.from([...FAST_CNP, 1, 2, 3]);
    expect(toHex(ParameterProblem.packetFor(padded, OPTION_AT, NODE))).toBe(
      toHex(ParameterProblem.packetFor(FAST_CNP, OPTION_AT, NODE)),
    );
    expect(() => ParameterProblem.packetFor(padded, FAST_CNP.length, NODE)).toThrow(/pointerOffset/);
  });

  it('is sent for action bits 10 and 11 only', () => {
    for (const type of [0x1e, 0x5e]) {
      const packet = changed([OPTION_AT, [type]]);
      expect(() => ParameterProblem.packetFor(packet, OPTION_AT, NODE)).toThrow(/does not request a report/);
      expect(() => ParameterProblem.packetFor(packet, OPTION_AT, NODE, { code: 0 })).not.toThrow();
    }
    expect(() => ParameterProblem.packetFor(changed([OPTION_AT, [0xde]]), OPTION_AT, NODE)).not.toThrow();
  });

  it('is sent for a packet to a multicast address for action bits 10 only', () => {
    const packet = changed([24, MULTICAST]);
    expect(() => ParameterProblem.packetFor(packet, OPTION_AT, NODE)).not.toThrow();
    expect(() => ParameterProblem.packetFor(packet, OPTION_AT, NODE, { code: 0 })).toThrow(
      /has a multicast destination/,
    );
    const other = changed([24, MULTICAST], [OPTION_AT, [0xde]]);
    expect(() => ParameterProblem.packetFor(other, OPTION_AT, NODE)).toThrow(/has a multicast destination/);
  });

  it('is not sent to an address that is not a single node', () => {
    for (const source of [MULTICAST, new Uint8Array(16)]) {
      const attempt = () => ParameterProblem.packetFor(changed([8, source]), OPTION_AT, NODE);
      expect(attempt).toThrow(expect.objectContaining({ code: 'invalid-packet' }));
      expect(attempt).toThrow(/no unicast source/);
    }
  });

  it('is not sent for an ICMPv6 error or redirect, but for an echo', () => {
    const UPPER_AT = 64;
    for (
      const [type, rejected] of [[1, true], [4, true], [127, true], [128, false], [135, false], [137, true]] as const
    ) {
      const packet = changed([40, [58]], [UPPER_AT, [type]]);
      const attempt = () => ParameterProblem.packetFor(packet, OPTION_AT, NODE);
      if (rejected) expect(attempt).toThrow(/error or redirect itself/);
      else expect(attempt).not.toThrow();
    }
  });

  it('is sent for a packet with broken extension headers', () => {
    const packet = changed([41, [200]]);
    expect(toHex(ParameterProblem.packetFor(packet, 41, NODE, { code: 0 }).subarray(48))).toBe(toHex(packet));
  });

  it('is rejected for packets other than IPv6, at every length', () => {
    for (let length = 0; length <= FAST_CNP.length; length++) {
      const attempt = () => ParameterProblem.packetFor(FAST_CNP.subarray(0, length), OPTION_AT, NODE);
      if (length > OPTION_AT) expect(attempt).not.toThrow();
      else expect(attempt).toThrow(RoceError);
    }
    expect(() => ParameterProblem.packetFor(changed([0, [0x45]]), OPTION_AT, NODE)).toThrow(/another version/);
    expect(() => ParameterProblem.packetFor(FAST_CNP, OPTION_AT, NODE.subarray(4))).toThrow(/source/);
  });
});
