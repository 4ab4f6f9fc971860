import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { readOptions } from '../../src/wire/ip/ipv6-options.js';
import { IoamNodeCursor } from '../../src/wire/telemetry/ioam-trace-data.js';
import { IoamNode } from '../../src/wire/telemetry/ioam-node.js';
import { IoamTraceHeader, IoamTraceType } from '../../src/wire/telemetry/ioam-trace.js';
import { IoamOption } from '../../src/wire/telemetry/ioam-option.js';
import { pushIncrementalIoamNode, pushIoamNode, IoamTraceData,
  type IoamTraceKind } from '../../src/wire/telemetry/ioam-trace-data.js';
import { fromHex, toHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });
const bigBits = (count: number) => fc.bigInt({ min: 0n, max: (1n << BigInt(count)) - 1n });

/** A trace of two nodes from a packet of the corpus, and its known values. */
const TRACE = fromHex(`
  00012c00 f2000000
  3e000c3a e70cd948 68632500 0001479f 00000a30
  3f000386 14d5ffff 68632500 000144e3 ffffffff`);
const FIRST_HOP: IoamNode = {
  hopLimit: 63,
  nodeId: 902,
  ingressInterface: 5333,
  egressInterface: 65535,
  timestampSeconds: 1751328000,
  timestampFraction: 83171,
  queueDepth: 4294967295,
};
const SECOND_HOP: IoamNode = {
  hopLimit: 62,
  nodeId: 3130,
  ingressInterface: 59148,
  egressInterface: 55624,
  timestampSeconds: 1751328000,
  timestampFraction: 83871,
  queueDepth: 2608,
};

/** Arbitrary nodes of this trace type. */
function nodesOf(traceType: number): fc.Arbitrary<IoamNode> {
  const fields: [number, Record<string, fc.Arbitrary<unknown>>][] = [
    [0, { hopLimit: bits(8), nodeId: bits(24) }],
    [1, { ingressInterface: bits(16), egressInterface: bits(16) }],
    [2, { timestampSeconds: bits(32) }],
    [3, { timestampFraction: bits(32) }],
    [4, { transitDelay: bits(32) }],
    [5, { namespaceData: bits(32) }],
    [6, { queueDepth: bits(32) }],
    [7, { checksumComplement: bits(32) }],
    [8, { hopLimitWide: bits(8), nodeIdWide: bigBits(56) }],
    [9, { ingressInterfaceWide: bits(32), egressInterfaceWide: bits(32) }],
    [10, { namespaceDataWide: bigBits(64) }],
    [11, { bufferOccupancy: bits(32) }],
    [22, { opaque: fc.record({ schemaId: bits(24), data: fc.nat(4).chain((words) => bytes(4 * words)) }) }],
  ];
  const undefinedWords = IoamTraceType.undefinedWords(traceType);
  const known = fc.record(
    Object.fromEntries(fields.filter(([bit]) =>
      IoamTraceType.has(traceType, bit)
    ).flatMap(([, byName]) => Object.entries(byName))),
  );
  if (undefinedWords === 0) return known as fc.Arbitrary<IoamNode>;
  // A value without `undefinedFields` is written as all ones.
  const words = fc.array(bits(32), { minLength: undefinedWords, maxLength: undefinedWords });
  const odd = words.filter((list) => list.some((word) => word !== 0xffffffff));
  return fc.tuple(known, fc.option(odd, { nil: undefined })).map(([node, undefinedFields]) => ({
    ...(node as IoamNode),
    ...(undefinedFields && { undefinedFields }),
  }));
}

function tracesOf(kind: IoamTraceKind): fc.Arbitrary<IoamTraceData> {
  return fc.tuple(bits(24).filter((type) => type > 1), bits(3), bits(16), bits(4), bits(8)).chain(
    ([traceType, remainingLenWords, namespaceId, flags, reserved8]) => {
      const nodeLenWords = IoamTraceType.nodeLenWords(traceType);
      const header = { namespaceId, nodeLenWords, flags, remainingLenWords, traceType, reserved8 };
      const space = bytes(4 * remainingLenWords).filter((all) => all.some((byte) => byte !== 0));
      const free = kind === 'pre-allocated' && remainingLenWords > 0 ?
        fc.option(space, { nil: undefined }) :
        fc.constant(undefined);
      return fc.record({ nodes: fc.array(nodesOf(traceType), { maxLength: 4 }), free }).map((
        { nodes, free: freeSpace },
      ) => ({ kind, header, nodes, ...(freeSpace && { freeSpace }) }));
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

/** Expects the error for malformed input. */
function expectInvalidPacket(attempt: () => unknown): void {
  expect(errorOf(attempt).code).toBe('invalid-packet');
}

describe('IOAM option', () => {
  const option = fc.record({
    optionType: fc.constantFrom(0x31, 0x11),
    reserved: bits(8),
    ioamOptionType: bits(8),
    data: fc.uint8Array({ maxLength: 253 }),
  });

  it('matches its layout', () => {
    const repair = (bytes: Uint8Array) => bytes.set([0x31, 2]);
    expectLayout(IoamOption, IoamOption.read, { repair, notInValue: ['length'] });
  });

  it('is the inverse of its reader for all values', () => {
    fc.assert(fc.property(option, (value) => {
      expect(IoamOption.read(IoamOption.write(value))).toEqual(value);
    }));
  });

  it('is rebuilt byte for byte, at any offset', () => {
    fc.assert(fc.property(option, (value) => {
      const target = new Uint8Array(300).fill(0xee);
      const end = IoamOption.writeInto(target, 7, value);
      expect(toHex(IoamOption.write(IoamOption.read(target, 7)))).toBe(toHex(target.subarray(7, end)));
      expect(target[end]).toBe(0xee);
    }));
  });

  it('may change en route and has no reserved bits set unless stated otherwise', () => {
    expect(toHex(IoamOption.write({ ioamOptionType: 1, data: fromHex('aabb') }))).toBe('31040001aabb');
  });

  it('is rejected if truncated at any length, with another option type, or with a length below 2', () => {
    const bytes = IoamOption.write({ ioamOptionType: 0, data: TRACE });
    for (let length = 0; length < bytes.length; length++) {
      expectInvalidPacket(() => IoamOption.read(bytes.subarray(0, length)));
    }
    expect(() => IoamOption.read(fromHex('1e020000'))).toThrow(
      /^ioam option at offset 0 has another option type \(got 30\); allowed: 49 or 17\.$/,
    );
    expect(() => IoamOption.read(fromHex('31010000'))).toThrow(
      /wrong length \(got 3\); allowed: between 4 and 257 bytes/,
    );
  });

  it('names the field that is out of range', () => {
    const build = (fields: object) => () => IoamOption.write({ ioamOptionType: 0, data: new Uint8Array(0), ...fields });
    for (
      const [fields, where] of [
        [{ optionType: 0x1e }, 'ioam option.optionType'],
        [{ reserved: 256 }, 'ioam option.reserved'],
        [{ ioamOptionType: -1 }, 'ioam option.ioamOptionType'],
        [{ data: new Uint8Array(254) }, 'ioam option.data'],
      ] as const
    ) expect(errorOf(build(fields))).toMatchObject({ code: 'invalid-argument', where });
  });

  it('is at 4n in its header, padded on both sides', () => {
    const header = IoamOption.writeOptionsHeader({ ioamOptionType: 0, data: TRACE });
    expect(header.length % 8).toBe(0);
    expect(toHex(header.subarray(0, 8))).toBe('110601003132' + '0000');
    const [found] = readOptions(header, { type: 0, offset: 0, bytes: header.length });
    expect(found!.offset).toBe(4);
    expect(toHex(new IoamOption.View(header, found!.offset).data)).toBe(toHex(TRACE));
  });

  it('has names for the IOAM option-types, of which two are traces', () => {
    expect(IoamOption.TYPE_NAMES.map((name, type) => [name, IoamTraceData.kindOf(type)])).toEqual([
      ['pre-allocated trace', 'pre-allocated'],
      ['incremental trace', 'incremental'],
      ['proof of transit', undefined],
      ['edge-to-edge', undefined],
      ['direct export', undefined],
    ]);
  });
});

describe('IOAM trace type', () => {
  it('determines NodeLen: two words for bits 8, 9 and 10, none for 22 and 23, one for others', () => {
    expect([0xf20000, 0xb2c000, 0xfff000, 0x000ffc, 0x000003, 0].map((type) => IoamTraceType.nodeLenWords(type)))
      .toEqual([
        5,
        8,
        15,
        10,
        0,
        0,
      ]);
  });

  it('orders fields by their bits', () => {
    fc.assert(fc.property(bits(24), (traceType) => {
      let offset = 0;
      for (let bit = 0; bit < 22; bit++) {
        const isSet = ((traceType >> (23 - bit)) & 1) === 1;
        expect(IoamTraceType.fieldOffset(traceType, bit)).toBe(isSet ? offset : -1);
        if (isSet) offset += bit >= 8 && bit <= 10 ? 8 : 4;
      }
      expect(IoamTraceType.nodeLenWords(traceType)).toBe(offset / 4);
      expect(IoamTraceType.fieldOffset(traceType, 22)).toBe((traceType & 2) === 0 ? -1 : offset);
    }));
    for (const bit of [-1, 23, 24, 32]) expect(IoamTraceType.fieldOffset(0xffffff, bit)).toBe(-1);
  });

  it('is composed of bits', () => {
    expect(IoamTraceType.of(IoamTraceType.BIT_NODE, IoamTraceType.BIT_QUEUE_DEPTH)).toBe(0x820000);
  });
});

describe('IOAM trace header', () => {
  const header = fc.record({
    namespaceId: bits(16),
    nodeLenWords: bits(5),
    flags: bits(4),
    remainingLenWords: bits(7),
    traceType: bits(24),
    reserved8: bits(8),
  });

  it('matches its layout', () => {
    expectLayout(IoamTraceHeader, IoamTraceHeader.read);
  });

  it('is the inverse of its reader for all values and all bytes', () => {
    fc.assert(fc.property(header, (value) => {
      expect(IoamTraceHeader.read(IoamTraceHeader.write(value))).toEqual(value);
    }));
    fc.assert(fc.property(bytes(8), (bytes) => {
      expect(IoamTraceHeader.write(IoamTraceHeader.read(bytes))).toEqual(bytes);
    }));
  });

  it('is rejected if truncated at any length', () => {
    for (let length = 0; length < 8; length++) {
      expectInvalidPacket(() => IoamTraceHeader.read(TRACE.subarray(0, length)));
    }
  });

  it('has the NodeLen of its trace type unless stated otherwise', () => {
    expect(toHex(IoamTraceHeader.write({ traceType: 0xf20000 }))).toBe('00002800f2000000');
  });

  it.each([
    ['namespaceId', 0x10000],
    ['nodeLenWords', 32],
    ['flags', 16],
    ['remainingLenWords', 128],
    ['traceType', 2 ** 24],
    ['reserved8', 256],
  ])('names the field %s when it is %s', (name, value) => {
    const error = errorOf(() => IoamTraceHeader.write({ traceType: 0, [name]: value }));
    expect(error).toMatchObject({ code: 'invalid-argument', where: `ioam trace.${name}` });
  });

  it('rejects a target that is too short, and has the offset of the node data', () => {
    expect(() => IoamTraceHeader.writeInto(new Uint8Array(8), 1, { traceType: 0 })).toThrow(/needs .* available/);
    expect(new IoamTraceHeader.View(new Uint8Array(20), 4).payloadOffset).toBe(12);
  });
});

describe('IOAM node', () => {
  const typedNode = bits(24).chain((traceType) =>
    fc.record({ traceType: fc.constant(traceType), node: nodesOf(traceType) })
  );

  it('is the inverse of its reader for all trace types and values', () => {
    fc.assert(fc.property(typedNode, ({ traceType, node }) => {
      const bytes = IoamNode.write(traceType, node);
      expect(IoamNode.read(bytes, 0, traceType)).toEqual(node);
      expect(IoamNode.lenBytesAt(bytes, 0, traceType)).toBe(bytes.length);
      expect(IoamNode.lenBytesOf(traceType, node)).toBe(bytes.length);
    }));
  });

  it('is rebuilt byte for byte, for all bytes', () => {
    fc.assert(fc.property(bits(24), fc.uint8Array({ minLength: 104 + 1020, maxLength: 1200 }), (traceType, bytes) => {
      const node = IoamNode.read(bytes, 0, traceType);
      const built = IoamNode.write(traceType, node);
      expect(toHex(built)).toBe(toHex(bytes.subarray(0, built.length)));
    }));
  });

  it('has every field of the widest trace type in the order of the bits', () => {
    const node: IoamNode = {
      hopLimit: 1,
      nodeId: 2,
      ingressInterface: 3,
      egressInterface: 4,
      timestampSeconds: 5,
      timestampFraction: 6,
      transitDelay: 7,
      namespaceData: 8,
      queueDepth: 9,
      checksumComplement: 10,
      hopLimitWide: 11,
      nodeIdWide: 0x0c0d0e0f101112n,
      ingressInterfaceWide: 0x13,
      egressInterfaceWide: 0x14,
      namespaceDataWide: 0xfffffffffffffffen,
      bufferOccupancy: 0x15,
      undefinedFields: [0x16, 0xffffffff],
      opaque: { schemaId: 0x17, data: fromHex('18191a1b') },
    };
    expect(toHex(IoamNode.write(0xfff802 | 4, node))).toBe(toHex(fromHex(`
      01000002 00030004 00000005 00000006 00000007 00000008 00000009 0000000a 0b0c0d0e 0f101112 00000013 00000014
      ffffffff fffffffe 00000015 00000016 ffffffff 01000017 18191a1b`)));
  });

  it('is all ones for absent values, and without a schema', () => {
    expect(toHex(IoamNode.write(0x82200e, { nodeId: 7 }))).toBe(toHex(fromHex(`
      ff000007 ffffffff ffffffff ffffffff ffffffff ffffffff 00ffffff`)));
    expect(IoamNode.read(fromHex('00ffffff'), 0, 2)).toEqual({
      opaque: { schemaId: IoamNode.NO_SCHEMA, data: new Uint8Array(0) },
    });
  });

  it("represents unavailable values by all ones of the field's width", () => {
    expect(IoamNode.isUnavailable('hopLimit', 0xff)).toBe(true);
    expect(IoamNode.isUnavailable('nodeId', 0xffffff)).toBe(true);
    expect(IoamNode.isUnavailable('nodeId', 0xff)).toBe(false);
    expect(IoamNode.isUnavailable('egressInterface', 0xffff)).toBe(true);
    expect(IoamNode.isUnavailable('queueDepth', 0xffff)).toBe(false);
    expect(IoamNode.isUnavailable('queueDepth', 0xffffffff)).toBe(true);
    expect(IoamNode.isUnavailable('nodeIdWide', 2n ** 56n - 1n)).toBe(true);
    expect(IoamNode.isUnavailable('namespaceDataWide', 2n ** 56n - 1n)).toBe(false);
    expect(IoamNode.isUnavailable('namespaceDataWide', 2n ** 64n - 1n)).toBe(true);
  });

  it('is rejected if truncated at any length, also inside the opaque snapshot', () => {
    const bytes = IoamNode.write(0xffffff, { opaque: { schemaId: 1, data: bytes16() } });
    for (let length = 0; length < bytes.length; length++) {
      for (const [cut, end] of [[bytes.subarray(0, length), undefined], [bytes, length]] as const) {
        const error = errorOf(() => IoamNode.read(cut, 0, 0xffffff, end));
        expect(error).toMatchObject({
          code: 'invalid-packet',
          available: length,
          layer: 'ioam node',
        });
        expect(error.required).toBeGreaterThan(length);
      }
    }
  });

  it.each<[string, number, IoamNode]>([
    ['hopLimit', 0x800000, { hopLimit: 256 }],
    ['nodeId', 0x800000, { nodeId: 2 ** 24 }],
    ['queueDepth', 0x020000, { queueDepth: 2 ** 32 }],
    ['queueDepth', 0x820000, { queueDepth: 0.5 }],
    ['nodeIdWide', 0x008000, { nodeIdWide: 2n ** 56n }],
    ['namespaceDataWide', 0x002000, { namespaceDataWide: -1n }],
    ['nodeIdWide', 0x008000, { nodeIdWide: 5 as unknown as bigint }],
    ['hopLimit', 0x020000, { hopLimit: 1 }],
    ['bufferOccupancy', 0xf20000, { bufferOccupancy: 1 }],
    ['opaque', 0xf20000, { opaque: { schemaId: 1, data: bytes16() } }],
    ['opaque.schemaId', 2, { opaque: { schemaId: 2 ** 24, data: bytes16() } }],
    ['opaque.data', 2, { opaque: { schemaId: 1, data: new Uint8Array(3) } }],
    ['opaque.data', 2, { opaque: { schemaId: 1, data: new Uint8Array(1024) } }],
    ['undefinedFields', 0x000ffc, { undefinedFields: [1] }],
    ['undefinedFields', 4, { undefinedFields: [2 ** 32] }],
    ['traceType', 2 ** 24, {}],
  ])('names the field %s if the trace type does not include it', (name, traceType, node) => {
    const target = new Uint8Array(2000);
    const error = errorOf(() => IoamNode.writeInto(target, 0, traceType, node));
    expect(error).toMatchObject({ code: 'invalid-argument', where: `ioam node.${name}` });
    expect(target.every((byte) => byte === 0)).toBe(true);
  });
});

describe('IOAM trace', () => {
  it('is read in path order, although the newest node is first on the wire', () => {
    const trace = IoamTraceData.read(TRACE, 0, TRACE.length, 'pre-allocated');
    expect(trace).toEqual({
      kind: 'pre-allocated',
      nodes: [FIRST_HOP, SECOND_HOP],
      header: {
        namespaceId: 1,
        nodeLenWords: 5,
        flags: IoamTraceHeader.FLAG_OVERFLOW,
        remainingLenWords: 0,
        traceType: 0xf20000,
        reserved8: 0,
      },
    });
    expect(toHex(IoamTraceData.write(trace))).toBe(toHex(TRACE));
  });

  it.each(['pre-allocated', 'incremental'] as const)('is the inverse of its reader for all values, %s', (kind) => {
    fc.assert(fc.property(tracesOf(kind), (value) => {
      const bytes = IoamTraceData.write(value);
      expect(IoamTraceData.lenBytesOf(value)).toBe(bytes.length);
      expect(IoamTraceData.read(bytes, 0, bytes.length, kind)).toEqual(value);
    }));
  });

  it.each(['pre-allocated', 'incremental'] as const)('is rebuilt byte for byte, for any bytes of whole nodes, %s',
    (kind) => {
      const lengths = fc.record({ traceType: bits(24), nodes: fc.nat(3), remainingLenWords: bits(3), flags: bits(4) });
      const traces = lengths.chain(({ nodes, ...header }) => {
        const traceType = header.traceType & ~2; // Random bytes rarely form a valid snapshot.
        const freeWords = kind === 'pre-allocated' ? header.remainingLenWords : 0;
        const data = bytes(4 * (freeWords + nodes * IoamTraceType.nodeLenWords(traceType)));
        return data.map((rest) =>
          Uint8Array.from([...IoamTraceHeader.write({ ...header, traceType, reserved8: 0xa5 }), ...rest])
        );
      });
      fc.assert(fc.property(traces, (bytes) => {
        expect(toHex(IoamTraceData.write(IoamTraceData.read(bytes, 0, bytes.length, kind)))).toBe(toHex(bytes));
      }));
    });

  it.each(['pre-allocated', 'incremental'] as const)(
    'is rebuilt byte for byte or rejected as an invalid packet, for random bytes, %s',
    (kind) => {
      const body = fc.record({
        traceType: bits(24),
        remainingLenWords: bits(3),
        rest: fc.uint8Array({ maxLength: 120 }),
      });
      fc.assert(fc.property(body, ({ rest, ...header }) => {
        const bytes = Uint8Array.from([...IoamTraceHeader.write(header), ...rest]);
        let trace: IoamTraceData;
        try {
          trace = IoamTraceData.read(bytes, 0, bytes.length, kind);
        } catch (error) {
          expect(error).toMatchObject({ name: 'RoceError', code: 'invalid-packet' });
          return;
        }
        expect(toHex(IoamTraceData.write(trace))).toBe(toHex(bytes));
      }));
    },
  );

  it('is rejected if truncated at any length, by its bytes or by the stated length', () => {
    for (let length = 0; length < TRACE.length; length++) {
      if (length === 8 || length === 28) continue; // whole traces with no node or one
      expectInvalidPacket(() => IoamTraceData.read(TRACE.subarray(0, length), 0, length, 'pre-allocated'));
      expectInvalidPacket(() => IoamTraceData.read(TRACE, 0, length, 'incremental'));
    }
    expectInvalidPacket(() => IoamTraceData.read(TRACE, 0, TRACE.length + 1, 'pre-allocated'));
    const free = IoamTraceData.write({
      kind: 'pre-allocated',
      header: { traceType: 0x800000, remainingLenWords: 3 },
      nodes: [],
    });
    for (let length = 0; length < free.length; length++) {
      expect(() => IoamTraceData.read(free, 0, length, 'pre-allocated')).toThrow(
        length < 8 ? /ioam trace .* needs/ : /RemainingLen/,
      );
      expect(() => IoamTraceData.read(free.subarray(0, length), 0, free.length, 'pre-allocated')).toThrow(
        /ioam trace .* needs/,
      );
      expect(() => pushIoamNode(free.slice(0, length), 0, free.length, {})).toThrow(/ioam trace .* needs/);
    }
    for (const length of [-1, NaN, 8.5])
      expectInvalidPacket(() => IoamTraceData.read(TRACE, 0, length, 'pre-allocated'));
  });

  it('is rejected if its header contradicts its data, with the offset in the error', () => {
    const rejection = (hex: string, kind: IoamTraceKind) => {
      const bytes = fromHex(`eeee ${hex}`);
      return errorOf(() => IoamTraceData.read(bytes, 2, bytes.length - 2, kind));
    };
    const packet = { code: 'invalid-packet' };
    expect(rejection('0000 1000 80000000 00000001', 'pre-allocated')).toMatchObject({
      ...packet,
      got: 2,
      where: 'ioam trace at offset 2',
    });
    expect(rejection('0000 0802 80000000 00000001', 'pre-allocated').message).toMatch(
      /RemainingLen beyond its data \(got 8\); allowed: at most 4/,
    );
    expect(rejection('0000 1000 c0000000 00000001', 'incremental')).toMatchObject({
      ...packet,
      layer: 'ioam node',
      offset: 10,
    });
    expect(rejection('0000 0000 00000000 00000001', 'incremental').message).toMatch(/no fields/);
    expect(rejection('0000 0000 00000200 02000001 00000000', 'incremental')).toMatchObject({
      ...packet,
      layer: 'ioam node',
      offset: 10,
    });
  });

  it('keeps RemainingLen of an incremental trace, which is no free space', () => {
    const bytes = fromHex('0000 0805 80000000 01000002');
    expect(IoamTraceData.read(bytes, 0, 12, 'incremental').nodes).toEqual([{ hopLimit: 1, nodeId: 2 }]);
    expectInvalidPacket(() => IoamTraceData.read(bytes, 0, 12, 'pre-allocated'));
  });

  it('overwrites all old bytes of a target', () => {
    const target = new Uint8Array(40).fill(0xee);
    const header = { traceType: 0x800000, remainingLenWords: 2 };
    const end = IoamTraceData.writeInto(target, 4, {
      kind: 'pre-allocated',
      header,
      nodes: [{ hopLimit: 1, nodeId: 2 }],
    });
    expect(toHex(target.subarray(0, end + 1))).toBe(
      'eeeeeeee' + '0000080280000000' + '0000000000000000' + '01000002' + 'ee',
    );
  });

  it('names a value that contradicts another one', () => {
    const build = (fields: object) => () =>
      IoamTraceData.write({ kind: 'pre-allocated', header: { traceType: 0x800000 }, nodes: [], ...fields });
    for (
      const [fields, where] of [
        [{ header: { traceType: 0x800000, nodeLenWords: 2 } }, 'ioam trace.nodeLenWords'],
        [{ header: { traceType: 0x800000, remainingLenWords: -9 } }, 'ioam trace.remainingLenWords'],
        [{ freeSpace: new Uint8Array(4) }, 'ioam trace.freeSpace'],
        [
          { kind: 'incremental', header: { traceType: 0x800000, remainingLenWords: 1 }, freeSpace: new Uint8Array(4) },
          'ioam trace.freeSpace',
        ],
        [{ header: { traceType: 1 }, nodes: [{}] }, 'ioam trace.nodes'],
        [{ kind: 'other' }, 'ioam trace.kind'],
      ] as const
    ) expect(errorOf(build(fields))).toMatchObject({ code: 'invalid-argument', where });
  });
});

describe('a transit node', () => {
  const emptyTrace = (remainingLenWords: number) =>
    IoamTraceData.write({
      kind: 'pre-allocated',
      header: { namespaceId: 1, traceType: 0xf20000, remainingLenWords },
      nodes: [],
    });

  it('fills a pre-allocated trace from its far end, then sets the overflow flag and writes nothing', () => {
    const trace = emptyTrace(10);
    expect(pushIoamNode(trace, 0, trace.length, FIRST_HOP)).toBe('written');
    expect(IoamTraceData.read(trace, 0, trace.length, 'pre-allocated')).toMatchObject({
      header: { remainingLenWords: 5, flags: 0 },
      nodes: [FIRST_HOP],
    });
    expect(toHex(trace.subarray(28))).toBe(toHex(TRACE.subarray(28)));
    expect(pushIoamNode(trace, 0, trace.length, SECOND_HOP)).toBe('written');
    expect(pushIoamNode(trace, 0, trace.length, FIRST_HOP)).toBe('overflow');
    expect(toHex(trace)).toBe(toHex(TRACE));
    expect(pushIoamNode(trace, 0, trace.length, FIRST_HOP)).toBe('overflow');
    expect(toHex(trace)).toBe(toHex(TRACE));
  });

  it('leaves free space that is too small unchanged', () => {
    const trace = emptyTrace(4);
    expect(pushIoamNode(trace, 0, trace.length, FIRST_HOP)).toBe('overflow');
    expect(toHex(trace)).toBe('00012c04f2000000' + '00'.repeat(16));
  });

  it('includes the length of its opaque snapshot', () => {
    const header = { traceType: 0x800002, remainingLenWords: 6 };
    const trace = IoamTraceData.write({ kind: 'pre-allocated', header, nodes: [] });
    const small: IoamNode = { hopLimit: 9, nodeId: 1, opaque: { schemaId: 5, data: new Uint8Array(0) } };
    const large: IoamNode = { hopLimit: 8, nodeId: 2, opaque: { schemaId: 6, data: fromHex('0102030405060708') } };
    expect(pushIoamNode(trace, 0, trace.length, large)).toBe('written');
    expect(pushIoamNode(trace, 0, trace.length, large)).toBe('overflow');
    expect(pushIoamNode(trace, 0, trace.length, small)).toBe('written');
    expect(IoamTraceData.read(trace, 0, trace.length, 'pre-allocated')).toMatchObject({
      header: { remainingLenWords: 0, flags: IoamTraceHeader.FLAG_OVERFLOW },
      nodes: [large, small],
    });
  });

  it('does not change an inconsistent trace, nor any trace for a value out of range', () => {
    for (
      const [hex, node, code] of [
        ['0000 1001 80000000 00000000', {}, 'invalid-packet'],
        ['0000 0802 80000000 00000000', {}, 'invalid-packet'],
        ['0000 0801 80000000 00000000', { nodeId: -1 }, 'invalid-argument'],
      ] as const
    ) {
      const bytes = fromHex(hex);
      expect(errorOf(() => pushIoamNode(bytes, 0, bytes.length, node)).code).toBe(code);
      expect(toHex(bytes)).toBe(toHex(fromHex(hex)));
    }
    for (let length = 0; length < 8; length++) {
      expectInvalidPacket(() => pushIoamNode(TRACE.slice(), 0, length, FIRST_HOP));
    }
  });

  it('writes the same trace as a builder with the same nodes, for any trace type', () => {
    fc.assert(fc.property(tracesOf('pre-allocated'), ({ header, nodes }) => {
      const written = nodes.reduce((sum, node) => sum + IoamNode.lenBytesOf(header.traceType, node) / 4, 0);
      fc.pre(written <= 127);
      const bytes = IoamTraceData.write({
        kind: 'pre-allocated',
        header: { ...header, remainingLenWords: written },
        nodes: [],
      });
      for (const node of nodes) expect(pushIoamNode(bytes, 0, bytes.length, node)).toBe('written');
      expect(toHex(bytes)).toBe(
        toHex(IoamTraceData.write({ kind: 'pre-allocated', header: { ...header, remainingLenWords: 0 }, nodes })),
      );
    }));
  });

  it('extends an incremental trace up to RemainingLen or the limit', () => {
    const start = IoamTraceData.write({
      kind: 'incremental',
      header: { namespaceId: 1, traceType: 0xf20000, remainingLenWords: 10 },
      nodes: [],
    });
    const one = pushIncrementalIoamNode(start, FIRST_HOP);
    const two = pushIncrementalIoamNode(one.trace, SECOND_HOP);
    const three = pushIncrementalIoamNode(two.trace, FIRST_HOP);
    expect([one.outcome, two.outcome, three.outcome]).toEqual(['written', 'written', 'overflow']);
    expect(toHex(three.trace)).toBe(toHex(TRACE));
    expect(start.length).toBe(8);
    expect(pushIncrementalIoamNode(one.trace, SECOND_HOP, 48).outcome).toBe('written');
    const limited = pushIncrementalIoamNode(one.trace, SECOND_HOP, 47);
    expect(limited.outcome).toBe('overflow');
    expect(IoamTraceData.read(limited.trace, 0, 28, 'incremental')).toMatchObject({
      header: { flags: IoamTraceHeader.FLAG_OVERFLOW, remainingLenWords: 5 },
      nodes: [FIRST_HOP],
    });
    expect(one.trace[2]! & 4).toBe(0);
  });

  it('does not extend an incremental trace beyond an IPv6 option unless configured', () => {
    const nodes = Array.from({ length: 12 }, () => FIRST_HOP);
    const long = IoamTraceData.write({
      kind: 'incremental',
      header: { traceType: 0xf20000, remainingLenWords: 100 },
      nodes,
    });
    expect(long.length).toBe(248);
    expect(pushIncrementalIoamNode(long, FIRST_HOP).outcome).toBe('overflow');
    expect(pushIncrementalIoamNode(long, FIRST_HOP, 1000).trace.length).toBe(268);
    expect(errorOf(() => pushIncrementalIoamNode(long, FIRST_HOP, -1))).toMatchObject({
      code: 'invalid-argument',
      where: 'limitBytes',
    });
    expectInvalidPacket(() => pushIncrementalIoamNode(long.subarray(0, 7), FIRST_HOP));
  });
});

describe('cursor over the nodes of an IOAM trace', () => {
  it('reads the same nodes as the parser, newest first', () => {
    const cursor = new IoamNodeCursor();
    fc.assert(fc.property(fc.oneof(tracesOf('pre-allocated'), tracesOf('incremental')), (value) => {
      const bytes = IoamTraceData.write(value);
      cursor.moveTo(bytes, 0, bytes.length, value.kind);
      for (const node of value.nodes.toReversed()) {
        expect(cursor.next()).toBe(true);
        expect([cursor.hopLimit, cursor.nodeId]).toEqual([node.hopLimit ?? -1, node.nodeId ?? -1]);
        expect([cursor.ingressInterface, cursor.egressInterface]).toEqual([
          node.ingressInterface ?? -1,
          node.egressInterface ?? -1,
        ]);
        expect(cursor.word(IoamTraceType.BIT_QUEUE_DEPTH)).toBe(node.queueDepth ?? -1);
        const wide = node.namespaceDataWide;
        expect(cursor.word(IoamTraceType.BIT_NAMESPACE_DATA_WIDE)).toBe(wide === undefined ? -1 : Number(wide >> 32n));
        expect(cursor.word(IoamTraceType.BIT_NAMESPACE_DATA_WIDE, 1)).toBe(
          wide === undefined ? -1 : Number(wide & 0xffffffffn),
        );
        expect(IoamNode.read(bytes, cursor.offset, value.header.traceType)).toEqual(node);
      }
      expect(cursor.next()).toBe(false);
    }));
  });

  it('returns -1 before the first node, after the last one, and for fields that the node does not have', () => {
    const cursor = new IoamNodeCursor();
    expect([cursor.next(), cursor.nodeId]).toEqual([false, -1]);
    cursor.moveTo(TRACE, 0, TRACE.length, 'pre-allocated');
    expect(cursor.word(IoamTraceType.BIT_NODE)).toBe(-1);
    expect(cursor.next() && cursor.word(IoamTraceType.BIT_INTERFACES)).toBe(0xe70cd948);
    expect([cursor.word(IoamTraceType.BIT_INTERFACES, 1), cursor.word(IoamTraceType.BIT_NODE, -1), cursor.word(23)])
      .toEqual([
        -1,
        -1,
        -1,
      ]);
    while (cursor.next());
    expect([cursor.next(), cursor.word(IoamTraceType.BIT_NODE)]).toEqual([false, -1]);
  });

  it('keeps its position when the next trace is rejected', () => {
    const cursor = new IoamNodeCursor().moveTo(TRACE, 0, TRACE.length, 'pre-allocated');
    cursor.next();
    expectInvalidPacket(() => cursor.moveTo(TRACE, 0, 30, 'pre-allocated'));
    expect(cursor.nodeId).toBe(3130);
  });

  it('is before the newest node after a move from the middle of a trace', () => {
    const cursor = new IoamNodeCursor().moveTo(TRACE, 0, TRACE.length, 'pre-allocated');
    cursor.next();
    cursor.moveTo(TRACE, 0, TRACE.length, 'pre-allocated');
    expect(cursor.nodeId).toBe(-1);
    expect(cursor.next() && cursor.nodeId).toBe(3130);
  });
});

function bytes16(): Uint8Array {
  return new Uint8Array(16).fill(0xab);
}
