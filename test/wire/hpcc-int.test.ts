import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { HpccIntHop, HpccIntUnits } from '../../src/wire/telemetry/hpcc-int-hop.js';
import { HpccInt } from '../../src/wire/telemetry/hpcc-int.js';
import type { Row } from '../support/golden.js';
import { GOLDEN_UNIT, readGolden } from '../support/golden.js';
import { toHex } from './support/hex.js';
import { expectLayout } from './support/layout-check.js';

const ORDERS = ['little-endian', 'big-endian'] as const;
const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });
const hops: fc.Arbitrary<HpccIntHop> = fc.record({
  lineRateCode: bits(3),
  timeNs: bits(24),
  txUnits: bits(20),
  queueUnits: bits(17),
});
const headers = fc.record({ hops: fc.array(hops, { minLength: 5, maxLength: 5 }), hopCount: bits(16) });
const NO_HOP: HpccIntHop = { lineRateCode: 0, timeNs: 0, txUnits: 0, queueUnits: 0 };

/** Rows of the reference simulator: multi, ns, bytes, queue, line rate, the quantized record, and the packed number. */
const KNOWN = [
  [1, 213472063321, 109910756375, 64324, 200e9, [3, 15544153, 942616, 804], '01927310c7697acb'],
  [1, 220890221739, 15634963362, 97952, 25e9, [0, 1395883, 513335, 1224], '02643ea9b8aa6558'],
  [1, 423959620922, 45812579341, 59844, 400e9, [4, 16149818, 346360, 748], '01762a47c7b369d4'],
  [8, 20154540962, 120984179409, 8455169, 200e9, [3, 5104546, 708100, 13211], '19cdd670226f1d13'],
] as const;

function errorOf(attempt: () => unknown): RoceError {
  try {
    attempt();
  } catch (error) {
    expect(error).toBeInstanceOf(RoceError);
    return error as RoceError;
  }
  throw new Error('nothing was thrown');
}

function hopOf([lineRateCode, timeNs, txUnits, queueUnits]: readonly number[]): HpccIntHop {
  return { lineRateCode: lineRateCode!, timeNs: timeNs!, txUnits: txUnits!, queueUnits: queueUnits! };
}

describe("Hop record of HPCC's INT header", () => {
  it.each(KNOWN)('is quantized and packed as in the reference simulator (multi %i, %i ns)',
    (multi, timeNs, txBytes, queueBytes, lineRateBps, raw, hex) => {
      const hop = HpccIntUnits.encode({ timeNs, txBytes, queueBytes, lineRateBps }, multi);
      expect(hop).toEqual(hopOf(raw));
      expect(toHex(HpccIntHop.write(hop, 'big-endian'))).toBe(hex);
      expect(toHex(HpccIntHop.write(hop).reverse())).toBe(hex);
    });

  it('matches its layout, most significant byte first', () => {
    expectLayout(HpccIntHop, (bytes) => HpccIntHop.read(bytes, 0, 'big-endian'));
  });

  it.each(ORDERS)('is the inverse of its reader for all values and all bytes, %s', (order) => {
    fc.assert(fc.property(hops, (hop) => {
      expect(HpccIntHop.read(HpccIntHop.write(hop, order), 0, order)).toEqual(hop);
    }));
    fc.assert(fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (bytes) => {
      expect(HpccIntHop.write(HpccIntHop.read(bytes, 0, order), order)).toEqual(bytes);
    }));
  });

  it('is rejected if truncated at any length', () => {
    for (let length = 0; length < 8; length++) {
      expect(errorOf(() => HpccIntHop.read(new Uint8Array(length)))).toMatchObject({
        code: 'invalid-packet',
        layer: 'hpcc int hop',
      });
    }
  });

  it.each([['lineRateCode', 8], ['timeNs', 2 ** 24], ['txUnits', 2 ** 20], ['queueUnits', 2 ** 17], [
    'queueUnits',
    -1,
  ]])('names the field %s when it is %s', (name, value) => {
    expect(errorOf(() => HpccIntHop.write({ ...NO_HOP, [name]: value }))).toMatchObject({
      code: 'invalid-argument',
      where: `hpcc int hop.${name}`,
    });
  });

  it('rejects a target that is too short, and an unknown byte order', () => {
    expect(() => HpccIntHop.writeInto(new Uint8Array(8), 1, NO_HOP)).toThrow(/needs .* available/);
    expect(() => HpccIntHop.read(new Uint8Array(8), 0, 'middle' as 'big-endian')).toThrow(/byteOrder/);
  });
});

describe("Units of HPCC's INT header", () => {
  it('wrap around and round down at the limits of the fields', () => {
    const encode = (timeNs: number, txBytes: number, queueBytes: number, multi = 1) =>
      HpccIntUnits.encode({ lineRateBps: 25e9, timeNs, txBytes, queueBytes }, multi);
    expect(encode(2 ** 24 - 1, 128 * 2 ** 20 - 1, 80 * 2 ** 17 - 1)).toEqual(
      hopOf([0, 2 ** 24 - 1, 2 ** 20 - 1, 2 ** 17 - 1]),
    );
    expect(encode(2 ** 24, 128 * 2 ** 20, 80 * 2 ** 17)).toEqual(NO_HOP);
    expect(encode(0, 3 * 128 - 1, 3 * 80 - 1, 3)).toEqual(NO_HOP);
    expect(encode(0, 3 * 128, 3 * 80, 3)).toEqual({ ...NO_HOP, txUnits: 1, queueUnits: 1 });
    const most = Number.MAX_SAFE_INTEGER;
    expect(encode(most, most, most, 3).txUnits).toBe(Number((BigInt(most) / 384n) % (1n << 20n)));
  });

  it('are unchanged by a round trip', () => {
    fc.assert(fc.property(hops, fc.integer({ min: 1, max: 64 }), (hop, multi) => {
      fc.pre(hop.lineRateCode <= 4);
      expect(HpccIntUnits.encode(HpccIntUnits.decode(hop, multi), multi)).toEqual(hop);
    }));
  });

  it('give differences modulo their wraps', () => {
    const older = hopOf([2, 2 ** 24 - 10, 2 ** 20 - 3, 0]);
    expect(HpccIntUnits.delta(hopOf([2, 5, 4, 0]), older, 4)).toEqual({ timeNs: 15, txBytes: 7 * 128 * 4 });
    expect(HpccIntUnits.delta(older, older)).toEqual({ timeNs: 0, txBytes: 0 });
  });

  it('include five line rates', () => {
    expect([0, 1, 2, 3, 4].map((code) => HpccIntUnits.lineRateBps(code))).toEqual([...HpccIntUnits.LINE_RATES_BPS]);
    expect(errorOf(() => HpccIntUnits.decode({ ...NO_HOP, lineRateCode: 5 }))).toMatchObject({
      code: 'invalid-packet',
      got: 5,
    });
  });

  it.each([
    [{ lineRateBps: 40e9 }, 1, 'hpcc int hop.lineRateBps'],
    [{ timeNs: 0.5 }, 1, 'hpcc int hop.timeNs'],
    [{ txBytes: -1 }, 1, 'hpcc int hop.txBytes'],
    [{ queueBytes: 2 ** 53 }, 1, 'hpcc int hop.queueBytes'],
    [{}, 0, 'multi'],
    [{}, 1.5, 'multi'],
  ])('name a value that they cannot encode: %j, multi %s', (fields, multi, where) => {
    const sample = { lineRateBps: 100e9, timeNs: 0, txBytes: 0, queueBytes: 0, ...fields };
    expect(errorOf(() => HpccIntUnits.encode(sample, multi))).toMatchObject({ code: 'invalid-argument', where });
  });
});

describe('INT header of HPCC', () => {
  it('matches its layout', () => {
    const notInValue = ['hop0', 'hop1', 'hop2', 'hop3', 'hop4'];
    expectLayout(HpccInt, (bytes) => HpccInt.read(bytes, 0, 'big-endian'), { notInValue });
  });

  it.each(ORDERS)('is the inverse of its reader for all values and all bytes, %s', (order) => {
    fc.assert(fc.property(headers, (value) => {
      expect(HpccInt.read(HpccInt.write(value, order), 0, order)).toEqual(value);
    }));
    fc.assert(fc.property(fc.uint8Array({ minLength: 42, maxLength: 42 }), (bytes) => {
      expect(HpccInt.write(HpccInt.read(bytes, 0, order), order)).toEqual(bytes);
    }));
  });

  it('has views that read the same values as the parser, without a copy', () => {
    fc.assert(fc.property(headers, fc.constantFrom(...ORDERS), (value, order) => {
      const bytes = new Uint8Array(60);
      expect(HpccInt.writeInto(bytes, 3, value, order)).toBe(45);
      const view = new HpccInt.View(bytes, 3, order);
      expect([view.hopCount, view.payloadOffset]).toEqual([value.hopCount, 45]);
      const hop = new HpccIntHop.View(bytes, 0, order).moveTo(bytes, view.hopOffset(4));
      expect({ lineRateCode: hop.lineRateCode, timeNs: hop.timeNs, txUnits: hop.txUnits, queueUnits: hop.queueUnits })
        .toEqual(value.hops[4]);
    }));
    expect(errorOf(() => new HpccInt.View(new Uint8Array(42)).hopOffset(5))).toMatchObject({
      code: 'invalid-argument',
      where: 'slot',
    });
  });

  it('is rejected if truncated at any length', () => {
    for (let length = 0; length < 42; length++) {
      expect(errorOf(() => HpccInt.read(new Uint8Array(length)))).toMatchObject({
        code: 'invalid-packet',
        layer: 'hpcc int',
      });
      expect(errorOf(() => HpccInt.push(new Uint8Array(length), 0, NO_HOP)).code).toBe('invalid-packet');
    }
  });

  it('names a value out of range', () => {
    const five = [NO_HOP, NO_HOP, NO_HOP, NO_HOP, NO_HOP];
    expect(errorOf(() => HpccInt.write({ hops: five, hopCount: 65536 }))).toMatchObject({
      code: 'invalid-argument',
      where: 'hpcc int.hopCount',
    });
    expect(errorOf(() => HpccInt.write({ hops: five.slice(1), hopCount: 0 }))).toMatchObject({
      code: 'invalid-argument',
      where: 'hpcc int.hops',
    });
  });

  it.each(ORDERS)('stores hops in a ring of five while the count continues, %s', (order) => {
    const bytes = new Uint8Array(42);
    const path = Array.from({ length: 7 }, (_, hop) => ({ ...NO_HOP, timeNs: 100 + hop }));
    path.forEach((hop, index) => {
      HpccInt.push(bytes, 0, hop, order);
      const header = HpccInt.read(bytes, 0, order);
      expect(header.hopCount).toBe(index + 1);
      expect(HpccInt.pathOf(header)).toEqual(path.slice(Math.max(0, index - 4), index + 1));
    });
    expect(HpccInt.read(bytes, 0, order).hops.map(({ timeNs }) => timeNs)).toEqual([105, 106, 102, 103, 104]);
  });

  it('wraps its count from 65535 to 0', () => {
    const bytes = HpccInt.write({ hops: [NO_HOP, NO_HOP, NO_HOP, NO_HOP, NO_HOP], hopCount: 65535 });
    HpccInt.push(bytes, 0, { ...NO_HOP, timeNs: 1 });
    expect(HpccInt.read(bytes)).toMatchObject({ hopCount: 0, hops: [{ timeNs: 1 }, NO_HOP, NO_HOP, NO_HOP, NO_HOP] });
    HpccInt.push(bytes, 0, NO_HOP);
    expect(toHex(bytes.subarray(40))).toBe('0100');
  });

  it('counts in 16 bits, in the byte order of the records', () => {
    const bytes = HpccInt.write({ hops: [NO_HOP, NO_HOP, NO_HOP, NO_HOP, NO_HOP], hopCount: 0x1fe }, 'big-endian');
    HpccInt.push(bytes, 0, NO_HOP, 'big-endian');
    expect(toHex(bytes.subarray(40))).toBe('01ff');
  });
});

describe('every golden row of the reference simulator', () => {
  it('has its record, its packed number and its decoded values', () => {
    for (const row of quantisedRows()) {
      const multi = Number(row.multi);
      const hop = HpccIntUnits.encode({
        lineRateBps: Number(row.line_bps),
        timeNs: Number(row.ts_ns),
        txBytes: Number(row.tx_bytes),
        queueBytes: Number(row.qlen_bytes),
      }, multi);
      expect(hop).toEqual(hopOf([row.raw_lr, row.raw_time, row.raw_bytes, row.raw_qlen].map(Number)));
      expect(toHex(HpccIntHop.write(hop, 'big-endian'))).toBe(row.u64_hex);
      expect(HpccIntUnits.decode(hop, multi)).toEqual({
        lineRateBps: Number(row.dec_line),
        timeNs: Number(row.dec_time),
        txBytes: Number(row.dec_bytes),
        queueBytes: Number(row.dec_qlen),
      });
    }
  });
});

function quantisedRows(): Row[] {
  return readGolden(GOLDEN_UNIT, 'int_hop_quant.csv');
}
