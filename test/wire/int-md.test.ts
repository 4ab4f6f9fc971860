import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { IntMdHop } from '../../src/wire/telemetry/int-md-hop.js';
import { IntMd, IntMdHeader } from '../../src/wire/telemetry/int-md.js';
import { fromHex, toHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });
const bigBits = (count: number) => fc.bigInt({ min: 0n, max: (1n << BigInt(count)) - 1n });

/** The specification's example: two hops of at most eight, with switch identifier and queue. */
const EXAMPLE = fromHex('20000206 90000000 00000000 00000002 050000c8 00000001 03000064');
const EXAMPLE_HOPS: IntMdHop[] = [
  { nodeId: 1, queueId: 3, queueOccupancy: 100 },
  { nodeId: 2, queueId: 5, queueOccupancy: 200 },
];

/** All values that a hop can have, with this many words of domain specific metadata. */
function hopsOf(instructions: number, domainWords: number): fc.Arbitrary<IntMdHop> {
  const fields: [number, Record<string, fc.Arbitrary<unknown>>][] = [
    [0, { nodeId: bits(32) }],
    [1, { ingressPort: bits(16), egressPort: bits(16) }],
    [2, { hopLatency: bits(32) }],
    [3, { queueId: bits(8), queueOccupancy: bits(24) }],
    [4, { ingressTimestamp: bigBits(64) }],
    [5, { egressTimestamp: bigBits(64) }],
    [6, { ingressPortLevel2: bits(32), egressPortLevel2: bits(32) }],
    [7, { txUtilisation: bits(32) }],
    [8, { bufferId: bits(8), bufferOccupancy: bits(24) }],
    [15, { checksumComplement: bits(32) }],
  ];
  const isSet = (bit: number) => ((instructions >> (15 - bit)) & 1) === 1;
  const known = fc.record(
    Object.fromEntries(fields.filter(([bit]) => isSet(bit)).flatMap(([, byName]) => Object.entries(byName))),
  );
  const reserved = [9, 10, 11, 12, 13, 14].filter(isSet).length;
  // A value without `reservedFields` is written as all ones.
  const words = fc.array(bits(32), { minLength: reserved, maxLength: reserved });
  const odd = reserved === 0 ?
    fc.constant(undefined) :
    fc.option(words.filter((list) => list.some((word) => word !== 0xffffffff)), { nil: undefined });
  return fc.tuple(known, odd, bytes(4 * domainWords)).map(([hop, reservedFields, domainMetadata]) => ({
    ...(hop as IntMdHop),
    ...(reservedFields && { reservedFields }),
    ...(domainWords > 0 && { domainMetadata }),
  }));
}

const sized = fc.tuple(bits(16), fc.nat(3)).map(([instructions, domainWords]) => ({ instructions, domainWords }));

/** Stacks whose source adds `sourceOnlyWords` more words than other hops. */
function stacksOf(sourceOnlyWords: number): fc.Arbitrary<IntMd> {
  return sized.filter(({ instructions, domainWords }) => instructions !== 0 || domainWords > 0).chain(
    ({ instructions, domainWords }) => {
      const hopMlWords = IntMdHop.baselineWords(instructions) + domainWords;
      const header = fc.record({
        discard: fc.boolean(),
        hopCountExceeded: fc.boolean(),
        mtuExceeded: fc.boolean(),
        reserved12: bits(12),
        hopMlWords: fc.constant(hopMlWords),
        remainingHopCount: bits(8),
        instructions: fc.constant(instructions),
        domainId: bits(16),
        dsInstruction: bits(16),
        dsFlags: bits(16),
      });
      const source = hopsOf(instructions, domainWords + sourceOnlyWords);
      const later = fc.array(hopsOf(instructions, domainWords), { maxLength: 3 });
      const hops = fc.oneof(fc.constant([]), fc.tuple(source, later).map(([first, rest]) => [first, ...rest]));
      return fc.record({ header, hops });
    },
  );
}

function errorOf(attempt: () => unknown): RoceError {
  try {
    attempt();
  } catch (error) {
    expect(error).toBeInstanceOf(RoceError);
    return error as RoceError;
  }
  throw new Error('nothing was thrown');
}

function expectInvalidPacket(attempt: () => unknown): void {
  expect(errorOf(attempt).code).toBe('invalid-packet');
}

describe('INT-MD header', () => {
  it('matches its layout', () => {
    const repair = (bytes: Uint8Array) => {
      bytes[0] = 0x20 | (bytes[0]! & 15);
    };
    expectLayout(IntMdHeader, IntMdHeader.read, { repair, notInValue: ['version'] });
  });

  it('is the inverse of its reader for all values and all bytes', () => {
    fc.assert(fc.property(stacksOf(0), ({ header }) => {
      expect(IntMdHeader.read(IntMdHeader.write(header))).toEqual(header);
    }));
    fc.assert(fc.property(bytes(12), (bytes) => {
      bytes[0] = 0x20 | (bytes[0]! & 15);
      expect(IntMdHeader.write(IntMdHeader.read(bytes))).toEqual(bytes);
    }));
  });

  it('is rejected if truncated at any length, and in another version', () => {
    for (let length = 0; length < 12; length++) {
      expectInvalidPacket(() => IntMdHeader.read(EXAMPLE.subarray(0, length)));
    }
    expect(() => IntMdHeader.read(fromHex('10000206 90000000 00000000'))).toThrow(
      /^int-md at offset 0 has another version \(got 1\); allowed: 2\.$/,
    );
  });

  it.each([
    ['reserved12', 4096],
    ['hopMlWords', 32],
    ['remainingHopCount', 256],
    ['instructions', 65536],
    ['domainId', -1],
    ['dsInstruction', 65536],
    ['dsFlags', 0.5],
  ])('names the field %s when it is %s', (name, value) => {
    const error = errorOf(() =>
      IntMdHeader.write({ hopMlWords: 0, remainingHopCount: 0, instructions: 0, [name]: value })
    );
    expect(error).toMatchObject({ code: 'invalid-argument', where: `int-md.${name}` });
  });

  it('rejects a target that is too short, and has the offset of the stack', () => {
    const header = { hopMlWords: 0, remainingHopCount: 0, instructions: 0 };
    expect(() => IntMdHeader.writeInto(new Uint8Array(12), 1, header)).toThrow(/needs .* available/);
    expect(new IntMdHeader.View(EXAMPLE).payloadOffset).toBe(12);
  });
});

describe('INT-MD instructions', () => {
  it('take one word each, and bits 4, 5 and 6 two words', () => {
    expect([0x9000, 0x0e00, 0xffff, 0x0001, 0].map(IntMdHop.baselineWords)).toEqual([2, 6, 19, 1, 0]);
    fc.assert(fc.property(bits(16), (instructions) => {
      let offset = 0;
      for (let bit = 0; bit < 15; bit++) {
        const isSet = ((instructions >> (15 - bit)) & 1) === 1;
        expect(IntMdHop.fieldOffset(instructions, bit)).toBe(isSet ? offset : -1);
        if (isSet) offset += bit >= 4 && bit <= 6 ? 8 : 4;
      }
    }));
    expect(IntMdHop.fieldOffset(0xfc00, IntMdHop.BIT_EGRESS_TIMESTAMP)).toBe(24);
    for (const bit of [-1, 15, 16, 40]) expect(IntMdHop.fieldOffset(0xffff, bit)).toBe(-1);
  });
});

describe('INT-MD hop', () => {
  it('is the inverse of its reader for all instructions and values', () => {
    const typed = sized.chain((size) =>
      fc.record({ size: fc.constant(size), hop: hopsOf(size.instructions, size.domainWords) })
    );
    fc.assert(fc.property(typed, ({ size, hop }) => {
      const bytes = IntMdHop.write(size.instructions, hop);
      expect(bytes.length).toBe(4 * (IntMdHop.baselineWords(size.instructions) + size.domainWords));
      expect(IntMdHop.read(bytes, 0, size.instructions, bytes.length)).toEqual(hop);
    }));
  });

  it('is rebuilt byte for byte', () => {
    fc.assert(fc.property(sized, bytes(22 * 4), ({ instructions, domainWords }, bytes) => {
      const length = 4 * (IntMdHop.baselineWords(instructions) + domainWords);
      const built = IntMdHop.write(instructions, IntMdHop.read(bytes, 0, instructions, length));
      expect(toHex(built)).toBe(toHex(bytes.subarray(0, length)));
    }));
  });

  it('has every field in the order of the bits, domain specific metadata before the checksum complement', () => {
    const hop: IntMdHop = {
      nodeId: 1,
      ingressPort: 2,
      egressPort: 3,
      hopLatency: 4,
      queueId: 5,
      queueOccupancy: 6,
      ingressTimestamp: 7n,
      egressTimestamp: 0xfffffffffffffffen,
      ingressPortLevel2: 9,
      egressPortLevel2: 10,
      txUtilisation: 11,
      bufferId: 12,
      bufferOccupancy: 13,
      reservedFields: [14, 0xffffffff],
      domainMetadata: fromHex('a1a2a3a4'),
      checksumComplement: 15,
    };
    expect(toHex(IntMdHop.write(0xffc3, hop))).toBe(toHex(fromHex(`
      00000001 00020003 00000004 05000006 00000000 00000007 ffffffff fffffffe 00000009 0000000a 0000000b 0c00000d
      0000000e ffffffff a1a2a3a4 0000000f`)));
  });

  it('has all ones for absent values', () => {
    expect(toHex(IntMdHop.write(0x8803, { nodeId: 1 }))).toBe('00000001' + 'ff'.repeat(16));
  });

  it('is rejected if truncated at any length, or with a length that contradicts its instructions', () => {
    const bytes = IntMdHop.write(0xffff, {});
    for (let length = 0; length < bytes.length; length++) {
      expectInvalidPacket(() => IntMdHop.read(bytes.subarray(0, length), 0, 0xffff, bytes.length));
      expectInvalidPacket(() => IntMdHop.read(bytes, 0, 0xffff, length));
    }
    expectInvalidPacket(() => IntMdHop.read(bytes, 0, 0x8000, 6));
  });

  it.each<[string, number, IntMdHop]>([
    ['nodeId', 0x8000, { nodeId: 2 ** 32 }],
    ['egressPort', 0x4000, { egressPort: 65536 }],
    ['queueId', 0x1000, { queueId: 256 }],
    ['queueOccupancy', 0x1000, { queueOccupancy: 2 ** 24 }],
    ['ingressTimestamp', 0x0800, { ingressTimestamp: 2n ** 64n }],
    ['hopLatency', 0x8000, { hopLatency: 1 }],
    ['checksumComplement', 0x8000, { checksumComplement: 1 }],
    ['checksumComplement', 1, { checksumComplement: -1 }],
    ['reservedFields', 0x0040, { reservedFields: [] }],
    ['reservedFields', 0x0040, { reservedFields: [2 ** 32] }],
    ['domainMetadata', 0x8000, { domainMetadata: new Uint8Array(3) }],
    ['instructions', 65536, {}],
  ])('names the field %s if the instructions do not include it', (name, instructions, hop) => {
    const target = new Uint8Array(200);
    const error = errorOf(() => IntMdHop.writeInto(target, 0, instructions, hop));
    expect(error).toMatchObject({ code: 'invalid-argument', where: `int-md hop.${name}` });
    expect(target.every((byte) => byte === 0)).toBe(true);
  });
});

describe('INT-MD stack', () => {
  it('is read in path order, although the newest hop is first on the wire', () => {
    const { header, hops } = IntMd.read(EXAMPLE, 0, EXAMPLE.length);
    expect(header).toMatchObject({ hopMlWords: 2, remainingHopCount: 6, instructions: 0x9000 });
    expect(hops).toEqual(EXAMPLE_HOPS);
  });

  it.each([0, 1, 3])('is the inverse of its reader for all values, with %i words from the source only',
    (sourceOnlyWords) => {
      const options = { sourceOnlyBytes: 4 * sourceOnlyWords };
      fc.assert(fc.property(stacksOf(sourceOnlyWords), (value) => {
        const bytes = IntMd.write(value, options);
        expect(IntMd.lenBytesOf(value, options)).toBe(bytes.length);
        expect(IntMd.read(bytes, 0, bytes.length, options)).toEqual(value);
        const target = new Uint8Array(bytes.length + 9).fill(0xee);
        const end = IntMd.writeInto(target, 5, value, options);
        expect(toHex(IntMd.write(IntMd.read(target, 5, end - 5, options), options))).toBe(
          toHex(target.subarray(5, end)),
        );
        expect(target[end]).toBe(0xee);
      }));
    });

  it('is rejected if truncated at any length, by its bytes or by the stated length', () => {
    for (let length = 0; length < EXAMPLE.length; length++) {
      if (length === 12 || length === 20) continue; // whole stacks with no hop or one
      expectInvalidPacket(() => IntMd.read(EXAMPLE.subarray(0, length), 0, length));
      expectInvalidPacket(() => IntMd.read(EXAMPLE, 0, length));
    }
    for (const length of [EXAMPLE.length + 1, -1, NaN]) expectInvalidPacket(() => IntMd.read(EXAMPLE, 0, length));
    expect(errorOf(() => IntMd.read(EXAMPLE, 0, 36))).toMatchObject({
      available: 28,
      required: 36,
      layer: 'int-md',
    });
  });

  it('is rejected if Hop ML is too small for the instructions, or 0 before a stack', () => {
    expect(() => IntMd.read(fromHex('20000106 90000000 00000000 00000001'), 0, 16)).toThrow(
      /Hop ML too small.* \(got 1\); allowed: between 2 and 31/,
    );
    expectInvalidPacket(() => IntMd.read(fromHex('20000006 00000000 00000000 00000001'), 0, 16));
    expectInvalidPacket(() => IntMd.read(EXAMPLE, 0, EXAMPLE.length, { sourceOnlyBytes: 4 }));
    expectInvalidPacket(() => IntMd.read(EXAMPLE, 0, EXAMPLE.length, { sourceOnlyBytes: 16 }));
  });

  it('names a value that contradicts another one', () => {
    const header = { hopMlWords: 2, remainingHopCount: 0, instructions: 0x9000 };
    const argument = { code: 'invalid-argument' };
    expect(errorOf(() => IntMd.write({ header: { ...header, hopMlWords: 3 }, hops: EXAMPLE_HOPS }))).toMatchObject({
      ...argument,
      where: 'int-md hop.domainMetadata',
    });
    expect(errorOf(() => IntMd.write({ header: { ...header, hopMlWords: -1 }, hops: [] }))).toMatchObject({
      ...argument,
      where: 'int-md.hopMlWords',
    });
    expect(errorOf(() => IntMd.write({ header: { ...header, hopMlWords: 0, instructions: 0 }, hops: [{}] })))
      .toMatchObject({ ...argument, where: 'int-md.hops' });
    expect(errorOf(() => IntMd.lenBytesOf({ header: { ...header, dsFlags: -1 }, hops: [] }))).toMatchObject({
      ...argument,
      where: 'int-md.dsFlags',
    });
    expect(errorOf(() => IntMd.write({ header, hops: [] }, { sourceOnlyBytes: 2 }))).toMatchObject({
      ...argument,
      where: 'sourceOnlyBytes',
    });
  });
});

describe('an INT-MD hop on the path', () => {
  const start = IntMd.write({ header: { hopMlWords: 2, remainingHopCount: 8, instructions: 0x9000 }, hops: [] });

  it('inserts its metadata before those of earlier hops and decrements the remaining hop count', () => {
    const one = IntMd.push(start, EXAMPLE_HOPS[0]!);
    const two = IntMd.push(one.bytes, EXAMPLE_HOPS[1]!);
    expect([one.outcome, two.outcome]).toEqual(['written', 'written']);
    expect(toHex(two.bytes)).toBe(toHex(EXAMPLE));
    expect([start.length, start[3]]).toEqual([12, 8]);
  });

  it('sets E and adds nothing if the remaining hop count is 0', () => {
    const full = IntMd.write({ header: { hopMlWords: 2, remainingHopCount: 0, instructions: 0x9000 }, hops: [] });
    const pushed = IntMd.push(full, EXAMPLE_HOPS[0]!, 0);
    expect(pushed.outcome).toBe('hop-count-exceeded');
    expect(toHex(pushed.bytes)).toBe('240002009000000000000000');
  });

  it('sets M, adds nothing and keeps the remaining hop count if the packet would exceed the MTU', () => {
    const pushed = IntMd.push(start, EXAMPLE_HOPS[0]!, 7);
    expect(pushed.outcome).toBe('mtu-exceeded');
    expect(toHex(pushed.bytes)).toBe('220002089000000000000000');
    expect(toHex(start)).toBe('200002089000000000000000');
    expect(IntMd.push(start, EXAMPLE_HOPS[0]!, 8).outcome).toBe('written');
  });

  it('must have the length of Hop ML', () => {
    expect(errorOf(() => IntMd.push(start, { domainMetadata: new Uint8Array(4) }))).toMatchObject({
      code: 'invalid-argument',
      where: 'int-md hop.domainMetadata',
    });
    for (let length = 0; length < 12; length++) {
      expectInvalidPacket(() => IntMd.push(start.subarray(0, length), EXAMPLE_HOPS[0]!));
    }
    expectInvalidPacket(() => IntMd.push(fromHex('20000106 90000000 00000000'), EXAMPLE_HOPS[0]!));
  });
});
