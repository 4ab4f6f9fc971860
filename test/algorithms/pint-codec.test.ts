import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { PINT_BASE_MIN } from '../../src/config/algorithms/hpcc-pint.js';
import { PintCodec, pintDecodeTable } from '../../src/reference/algorithms/hpcc-pint/model.js';
import { GOLDEN_UNIT, readGolden } from '../support/golden.js';
import { instantiatePart, type WasmExports } from './support/harness.js';

/** The largest table has 8 pages; one more page shows writes past its end. */
const TABLE_ADDRESS = 8 * 65536;
const TABLE_PAGES = 9;
/** Doubles before and after a table that must stay unchanged. */
const GUARD = 1024;

let wasm: WasmExports;

beforeAll(async () => {
  wasm = await instantiatePart('test/algorithms/support/hpcc-entry.ts');
  wasm.memory.grow(TABLE_PAGES);
});

/** A copy of the table that the wasm writes; nothing around the table may be written. */
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
  ])("equals the model's to the bit for base %f and %i bits", (base, bits) => {
    const [table, expected] = [tableOf(base, bits), pintDecodeTable(base, bits)];
    expect(Buffer.from(table.buffer).equals(Buffer.from(expected.buffer))).toBe(true);
  });

  it("equals the model's to the bit for any base and number of bits", () => {
    const anyBase = fc.double({ min: PINT_BASE_MIN, max: 2, noNaN: true });
    fc.assert(fc.property(anyBase, fc.integer({ min: 1, max: 16 }), (base, bits) => {
      fc.pre(Math.log2(base) * (2 ** bits - 1) < 900);
      const [table, expected] = [tableOf(base, bits), pintDecodeTable(base, bits)];
      expect(Buffer.from(table.buffer).equals(Buffer.from(expected.buffer))).toBe(true);
    }));
  });

  it('is indexed by the low bits of a power', () => {
    const codec = new PintCodec(1.05, 8);
    tableOf(1.05, 8);
    for (const power of [0, 1, 255, 256, 511, 65535, 2 ** 31, 2 ** 32 - 2]) {
      expect(wasm.decodePintAt(TABLE_ADDRESS, 8, power)).toBe(codec.decode(power));
    }
  });

  it("equals the reference simulator's to the bit", () => {
    const tables = new Map<string, Float64Array>();
    for (const { base, n_bits: bits, power, u } of readGolden(GOLDEN_UNIT, 'pint_decode.csv')) {
      const table = tables.get(base) ?? tableOf(Number(base), Number(bits));
      tables.set(base, table);
      expect(table[Number(power)], `${base}^${power}`).toBe(Number(u));
    }
    expect([...tables.values()].map((table) => table.length)).toEqual([256, 2048]);
  });
});
