import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { type ArnFormat, compressionTimeOf, compressionTimePs } from '../../src/wire/arn/arn-format.js';
import { Arn, FiveTuple } from '../../src/wire/arn/arn.js';
import { parseIpAddress } from '../../src/wire/ip/ip-address.js';
import { fromHex, toHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });
const ipv4Address = bytes(4).map((a) => Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...a]));
const ipv6Address = bytes(16).map((a) => Uint8Array.from([0x20, ...a.subarray(1)]));
const flowOf = (address: fc.Arbitrary<Uint8Array>) =>
  fc.record({
    source: address,
    destination: address,
    protocol: bits(8),
    sourcePort: bits(16),
    destinationPort: bits(16),
  });
const messageOf = (flow: ReturnType<typeof flowOf>): fc.Arbitrary<Arn> =>
  fc.record({
    type: bits(8),
    version: bits(4),
    reserved4: bits(4),
    metric: bits(8),
    flow,
    pathId: bits(32),
    priorityId: bits(32),
    compressionTime: bits(32),
  }, { requiredKeys: ['type', 'version', 'reserved4', 'metric'] });
const ipv4Flow = flowOf(ipv4Address);
const anyFlow = fc.oneof(ipv4Flow, flowOf(ipv6Address));

const FORMATS = (['msb-first', 'lsb-first'] as const).flatMap((bitOrder) =>
  (['versioned', 'ipv4', 'ipv6'] as const).flatMap((flowFormat) =>
    (['to-4', 'none'] as const).map((flowPadding) => ({ bitOrder, flowFormat, flowPadding }))
  )
);

const FLOW4 = {
  source: parseIpAddress('10.0.0.1'),
  destination: parseIpAddress('10.0.0.2'),
  protocol: 17,
  sourcePort: 0xc001,
  destinationPort: 4791,
};
const FLOW6 = { ...FLOW4, source: parseIpAddress('2001:db8::1'), destination: parseIpAddress('2001:db8::2') };

function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe.each(FORMATS)('ARN, $bitOrder, five-tuple $flowFormat, padding $flowPadding', (format) => {
  const message = messageOf(format.flowFormat === 'ipv4' ? ipv4Flow : anyFlow);

  it('is the inverse of its reader for all values', () => {
    fc.assert(fc.property(message, (value) => {
      const bytes = Arn.write(value, format);
      expect(bytes).toHaveLength(Arn.lenBytesOf(value, format));
      expect(Arn.read(bytes, 0, format)).toEqual(value);
    }));
  });

  it('is rebuilt byte for byte, for all bytes that are read without an error', () => {
    // Only known parameters, an IP version that is valid in half of the cases, and zeros as padding.
    const likely = fc.tuple(bytes(60), bits(4), fc.constantFrom(4, 6)).map(([bytes, para, version]) => {
      bytes[3] = format.bitOrder === 'msb-first' ? para << 4 : para;
      bytes[4] = version;
      return bytes;
    });
    let read = 0;
    fc.assert(fc.property(likely, (bytes) => {
      let value: Arn;
      try {
        value = Arn.read(bytes, 0, format);
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid-packet' });
        return;
      }
      read++;
      const again = Arn.write(value, format);
      expect(toHex(again)).toBe(toHex(bytes.subarray(0, again.length)));
    }));
    expect(read).toBeGreaterThan(10);
  });

  it('rejects every truncated message', () => {
    fc.assert(fc.property(message, (value) => {
      const bytes = Arn.write(value, format);
      for (let length = 0; length < bytes.length; length++) {
        const error = errorOf(() => Arn.read(bytes.subarray(0, length), 0, format));
        expect(error).toBeInstanceOf(RoceError);
        expect(error).toMatchObject({ code: 'invalid-packet', available: expect.any(Number) as number });
      }
    }), { numRuns: 20 });
  });
});

describe('ARN message', () => {
  it('has the header of its layout', () => {
    const repair = (bytes: Uint8Array) => {
      bytes[3] = 0;
    };
    expectLayout(Arn, (bytes) => Arn.read(bytes), { repair, notInValue: ['paraType'] });
    expectLayout(Arn, (bytes) => new Arn.View(bytes));
  });

  it('has its parameters in ascending order of bits, from the most significant bit', () => {
    const all = { type: 1, version: 2, reserved4: 3, metric: 0x64, pathId: 0xa1, priorityId: 3, compressionTime: 500 };
    expect(toHex(Arn.write({ ...all, flow: FLOW4 }))).toBe(
      '012364f0' + '040a0000010a00000211c00112b70000' + '000000a1' + '00000003' + '000001f4',
    );
    expect(toHex(Arn.write(all, { bitOrder: 'lsb-first' }))).toBe('0123640e' + '000000a1' + '00000003' + '000001f4');
  });

  it.each([
    ['pathId', 0x40, 0x02],
    ['priorityId', 0x20, 0x04],
    ['compressionTime', 0x10, 0x08],
  ])('sets the Para-Type bit of %s', (name, msbFirst, lsbFirst) => {
    const message = { type: 1, [name]: 0x80000001 };
    expect(toHex(Arn.write(message))).toBe(`010000${msbFirst.toString(16)}80000001`);
    expect(Arn.write(message, { bitOrder: 'lsb-first' })[3]).toBe(lsbFirst);
  });

  it('reads from an offset and ignores the bytes after the message', () => {
    const bytes = Uint8Array.from([9, 9, ...Arn.write({ type: 1, flow: FLOW6, compressionTime: 7 }), 9]);
    expect(Arn.read(bytes, 2)).toEqual({
      type: 1,
      version: 0,
      reserved4: 0,
      metric: 0,
      flow: FLOW6,
      compressionTime: 7,
    });
    const target = new Uint8Array(50).fill(0xee);
    expect(Arn.writeInto(target, 1, { type: 2, flow: FLOW4 })).toBe(1 + 4 + 16);
    expect(toHex(target.subarray(0, 6))).toBe('ee0200008004');
    expect([target[20], target[21]]).toEqual([0, 0xee]);
  });

  it.each([4, 5, 6, 7])('rejects Para-Type bit %i, whose parameter has no known size', (bit) => {
    const bytes = new Uint8Array(64);
    bytes[4] = 4;
    bytes[3] = 0x80 >> bit;
    expect(() => Arn.read(bytes)).toThrow(/unknown size/);
    expect(Arn.read(bytes, 0, { bitOrder: 'lsb-first' })).toBeDefined();
    bytes[3] = 1 << bit;
    expect(errorOf(() => Arn.read(bytes, 0, { bitOrder: 'lsb-first' }))).toMatchObject({
      code: 'invalid-packet',
      got: 1 << bit,
      where: 'arn at offset 0',
    });
  });

  it('has a view that moves from message to message', () => {
    const view = new Arn.View(fromHex('01234430'));
    expect([view.payloadOffset, view.has(2, 'msb-first'), view.has(2, 'lsb-first')]).toEqual([4, true, false]);
    expect(view.moveTo(fromHex('ff02000010'), 1)).toMatchObject({ type: 2, metric: 0, paraType: 0x10 });
    expect(() => view.moveTo(new Uint8Array(4), 1)).toThrow(/needs .* available/);
  });

  it('has names for its types', () => {
    expect([0, 1, 2, 3, 4, 5, 255].map(Arn.typeName)).toEqual([
      'unknown',
      'congestion-detected',
      'congestion-eliminated',
      'failure-detected',
      'failure-eliminated',
      'unknown',
      'unknown',
    ]);
  });

  it.each([
    ['type', 256],
    ['version', 16],
    ['reserved4', -1],
    ['metric', 1.5],
    ['pathId', 2 ** 32],
    ['priorityId', -1],
    ['compressionTime', NaN],
    ['flow.protocol', 256],
    ['flow.sourcePort', 65536],
    ['flow.destinationPort', -1],
  ])('names the field %s when it is %s', (name, value) => {
    const [field, part] = name.split('.') as [string, string?];
    const bad = part === undefined ? { [field]: value } : { flow: { ...FLOW4, [part]: value } };
    const error = errorOf(() => Arn.write({ type: 1, ...bad }));
    expect(error).toMatchObject({ code: 'invalid-argument', where: `arn.${name}` });
  });

  it('rejects a target that is too short without changing it', () => {
    const target = new Uint8Array(23);
    expect(() => Arn.writeInto(target, 0, { type: 1, flow: FLOW4, pathId: 1 })).toThrow(/needs .* available/);
    expect(() => Arn.writeInto(target, 0, { type: 1, flow: { ...FLOW4, protocol: 300 } })).toThrow(/protocol/);
    expect(target.every((byte) => byte === 0)).toBe(true);
  });

  it.each(['bitOrder', 'flowFormat', 'flowPadding'])('rejects an unknown choice of %s', (name) => {
    const format = { [name]: 'whatever' } as ArnFormat;
    expect(() => Arn.write({ type: 1, flow: FLOW4 }, format)).toThrow(
      expect.objectContaining({ where: `arn format.${name}` }),
    );
    expect(() => Arn.read(fromHex(`0100008004${'00'.repeat(40)}`), 0, format)).toThrow(new RegExp(name));
  });
});

describe('five-tuple of an ARN', () => {
  it.each([
    [FLOW4, {}, '040a0000010a00000211c00112b70000'],
    [FLOW4, { flowPadding: 'none' }, '040a0000010a00000211c00112b7'],
    [FLOW4, { flowFormat: 'ipv4' }, '0a0000010a00000211c00112b7000000'],
    [
      FLOW4,
      { flowFormat: 'ipv6', flowPadding: 'none' },
      '00000000000000000000ffff0a00000100000000000000000000ffff0a00000211c00112b7',
    ],
    [FLOW6, {}, '0620010db800000000000000000000000120010db800000000000000000000000211c00112b70000'],
  ] as const)('is laid out as the format specifies, case %#', (flow, format, hex) => {
    expect(toHex(FiveTuple.write(flow, format))).toBe(hex);
    expect(FiveTuple.lenBytesOf(flow, format)).toBe(hex.length / 2);
    expect(FiveTuple.read(fromHex(hex), 0, format)).toEqual(flow);
  });

  it('rejects addresses that do not fit the format', () => {
    const mixed = { ...FLOW4, destination: FLOW6.destination };
    expect(() => FiveTuple.write(mixed)).toThrow(/of different families/);
    expect(() => FiveTuple.write(mixed, { flowFormat: 'ipv4' })).toThrow(/an IPv4-mapped address/);
    expect(() => FiveTuple.write(FLOW6, { flowFormat: 'ipv4' })).toThrow(/an IPv4-mapped address/);
    expect(FiveTuple.read(FiveTuple.write(mixed, { flowFormat: 'ipv6' }), 0, { flowFormat: 'ipv6' })).toEqual(mixed);
    expect(() => FiveTuple.write({ ...FLOW4, source: new Uint8Array(4) })).toThrow(/arn\.flow\.source/);
  });

  it('rejects another IP version, IPv4 addresses as version 6, and padding that is not zero', () => {
    const bytes = FiveTuple.write(FLOW6);
    expect(() => FiveTuple.read(Uint8Array.from([5, ...bytes.subarray(1)]))).toThrow(
      /^arn five-tuple at offset 0 has another IP version \(got 5\); allowed: 4 or 6\.$/,
    );
    const mapped = bytes.slice();
    mapped.set(FLOW4.destination, 17);
    expect(() => FiveTuple.read(mapped)).toThrow(/IPv4 address marked as version 6/);
    for (const at of [38, 39]) {
      const padded = bytes.slice();
      padded[at] = 1;
      expect(() => FiveTuple.read(padded)).toThrow(`offset ${at} has padding that is not zero`);
    }
  });
});

describe('compression time', () => {
  const AT_100G = { timeUnit: 'pfc-quanta', rateBps: 100e9 } as const;

  it('is in microseconds unless stated otherwise', () => {
    expect(compressionTimePs(500)).toBe(500e6);
    expect(compressionTimePs(2 ** 32 - 1)).toBe((2 ** 32 - 1) * 1e6);
    expect([0, 1, 1e6, 1e6 + 1, 4294967294000001].map((ps) => compressionTimeOf(ps))).toEqual([0, 1, 1, 2, 4294967295]);
  });

  it('is in quanta of 512 bit times at the rate of the link, when configured', () => {
    expect(compressionTimePs(1, AT_100G)).toBe(5120);
    expect(compressionTimePs(65535, AT_100G)).toBe(335_539_200);
    expect(compressionTimePs(1, { ...AT_100G, rateBps: 400e9 })).toBe(1280);
    expect([0, 1, 5120, 5121].map((ps) => compressionTimeOf(ps, AT_100G))).toEqual([0, 1, 1, 2]);
  });

  it('is never shortened by a round trip through the wire format', () => {
    const times = fc.tuple(fc.integer({ min: 0, max: 2 ** 40 }), fc.integer({ min: 1e9, max: 800e9 }));
    fc.assert(fc.property(times, ([timePs, rateBps]) => {
      for (const format of [{}, { timeUnit: 'pfc-quanta', rateBps } as const]) {
        const heldPs = compressionTimePs(compressionTimeOf(timePs, format), format);
        expect(heldPs).toBeGreaterThanOrEqual(timePs);
        expect(heldPs - timePs).toBeLessThan(compressionTimePs(1, format) + 1);
      }
    }));
  });

  it.each([
    ['a negative time', () => compressionTimeOf(-1)],
    ['half a picosecond', () => compressionTimeOf(0.5)],
    ['more microseconds than 32 bits hold', () => compressionTimeOf(4294967295e6 + 1)],
    ['a number of 33 bits', () => compressionTimePs(2 ** 32)],
    ['quanta without a rate', () => compressionTimePs(1, { timeUnit: 'pfc-quanta' })],
    ['quanta at no rate', () => compressionTimeOf(1, { timeUnit: 'pfc-quanta', rateBps: 0 })],
    ['an unknown unit', () => compressionTimePs(1, { timeUnit: 'ms' as 'us' })],
    ['more picoseconds than a number counts', () => compressionTimePs(2 ** 32 - 1, { ...AT_100G, rateBps: 1 })],
  ])('rejects %s', (_, act) => {
    expect(errorOf(act)).toMatchObject({ code: 'invalid-argument' });
  });
});
