import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { PINT_BASE_MIN } from '../../src/config/algorithms/hpcc-pint.js';
import { PintCodec, pintDecodeTable } from '../../src/reference/algorithms/hpcc-pint/model.js';
import { GOLDEN_UNIT, readGolden } from '../support/golden.js';
import { instantiatePart, type WasmExports } from './support/harness.js';

/** The largest table has 8 pages; one more shows a write behind it. */
const TABLE_ADDRESS = 8 * 65536;
const TABLE_PAGES = 9;
/** Doubles before and behind a table that must stay. */
const GUARD = 1024;

let wasm: WasmExports;

beforeAll(async () => {
  wasm = await instantiatePart('test/algorithms/support/hpcc-entry.ts');
  wasm.memory.grow(TABLE_PAGES);
});

/** The table that the wasm writes, copied out; nothing around it may be written. */
function tableOf(base: number, bits: number): Float64Array {
  const memory = new Float64Array(wasm.memory.buffer);
  const first = TABLE_ADDRESS / 8;
  const end = first + 2 ** bits;
  memory.fill(-1, first - GUARD, end + GUARD);
  wasm.fillPintTable(TABLE_ADDRESS, base, bits);
  const guards = [...memory.subarray(first - GUARD, first), ...memory.subarray(end, end + GUARD)];
  expect(guards.every((value) => value === -1)).toBe(true);
  return memory.slice(first, end);
}

describe("PINT's decode table in wasm", () => {
  it.each([
    [1.05, 8],
    [1.01, 11],
    [1.01, 9],
    [1.01, 8],
    [1.01, 15],
    [PINT_BASE_MIN, 16],
    [2, 9],
    [2, 1],
    [1.5, 10],
  ])("for base %f and %i bits equals the model's, to the bit", (base, bits) => {
    const [table, expected] = [tableOf(base, bits), pintDecodeTable(base, bits)];
    expect(Buffer.from(table.buffer).equals(Buffer.from(expected.buffer))).toBe(true);
  });

  it("for any base and bits equals the model's, to the bit", () => {
    const anyBase = fc.double({ min: PINT_BASE_MIN, max: 2, noNaN: true });
    fc.assert(fc.property(anyBase, fc.integer({ min: 1, max: 16 }), (base, bits) => {
      fc.pre(Math.log2(base) * (2 ** bits - 1) < 900);
      const [table, expected] = [tableOf(base, bits), pintDecodeTable(base, bits)];
      expect(Buffer.from(table.buffer).equals(Buffer.from(expected.buffer))).toBe(true);
    }));
  });

  it('bits of a power beyond the table are cut off', () => {
    const codec = new PintCodec(1.05, 8);
    tableOf(1.05, 8);
    for (const power of [0, 1, 255, 256, 511, 65535, 2 ** 31, 2 ** 32 - 2]) {
      expect(wasm.decodePintAt(TABLE_ADDRESS, 8, power)).toBe(codec.decode(power));
    }
  });

  it("has every double of the reference simulator's", () => {
    const tables = new Map<string, Float64Array>();
    for (const { base, n_bits: bits, power, u } of readGolden(GOLDEN_UNIT, 'pint_decode.csv')) {
      const table = tables.get(base) ?? tableOf(Number(base), Number(bits));
      tables.set(base, table);
      expect(table[Number(power)], `${base}^${power}`).toBe(Number(u));
    }
    expect([...tables.values()].map((table) => table.length)).toEqual([256, 2048]);
  });
});
