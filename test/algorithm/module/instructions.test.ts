/** The decoder reads each instruction that it accepts as WebAssembly does, and rejects all others. */
import { describe, expect, it } from 'vitest';
import { meterModule } from '../../../src/algorithm/module/meter.js';
import { inspectModule } from '../../../src/algorithm/module/inspect.js';
import { ByteReader } from '../../../src/algorithm/module/byte-stream.js';
import { InstructionReader } from '../../../src/algorithm/module/instructions.js';
import { rejectionOf } from '../../support/rejection.js';
import { algorithmParts, END, i32, moduleOf } from './support/module-bytes.js';

const UNREACHABLE = 0x00;
/** Index 0, padded to 5 bytes as wasm-ld does. */
const ZERO = [0x80, 0x80, 0x80, 0x80, 0x00];
const ADDRESS = [0x00, ...ZERO];
const SIXTEEN = Array.from({ length: 16 }, () => 0x1f);

type Known = readonly [name: string, codes: readonly number[], immediates: readonly number[], rest?: readonly number[]];

const codes = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Specification 2.0, section 5.4; `rest` closes the block that the instruction opens. */
const KNOWN: readonly Known[] = [
  ['unreachable, nop', [0x00, 0x01], []],
  ['block, loop, if', [0x02, 0x03, 0x04], [0x40], [END]],
  ['block, loop with a result', [0x02, 0x03], [0x7c], [UNREACHABLE, END, 0x1a]],
  ['block, loop, if of a type', [0x02, 0x03, 0x04], [0x82, 0x80, 0x80, 0x80, 0x00], [END]],
  ['br, br_if', [0x0c, 0x0d], [0x80, 0x00]],
  ['br_table', [0x0e], [0x83, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00]],
  ['return', [0x0f], []],
  ['call', [0x10], [0x80, 0x00]],
  ['call_indirect', [0x11], [0x80, 0x00, ...ZERO]],
  ['drop, select', [0x1a, 0x1b], []],
  ['select of a type', [0x1c], [0x01, 0x7d]],
  ['locals', [0x20, 0x21, 0x22], [0x83, 0x00]],
  ['globals', [0x23, 0x24], ZERO],
  ['loads and stores', codes(0x28, 0x3e), ADDRESS],
  ['memory.size, memory.grow', [0x3f, 0x40], [0x00]],
  ['i32.const', [0x41], [0xff, 0xff, 0xff, 0xff, 0x7f]],
  ['i64.const', [0x42], [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f]],
  ['f32.const', [0x43], [0xff, 0xff, 0xff, 0xff]],
  ['f64.const', [0x44], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
  ['numeric', codes(0x45, 0xc4), []],
];

const BULK: readonly Known[] = [
  ['saturating conversion', codes(0, 7), []],
  ['memory.init', [8], [0x00, 0x00]],
  ['data.drop', [9], ZERO],
  ['memory.copy', [10], [0x00, 0x00]],
  ['memory.fill', [11], [0x00]],
];

/** SIMD opcodes that the specification leaves unassigned. */
const SIMD_GAPS = new Set([
  0x9a,
  0xa2,
  0xa5,
  0xa6,
  0xaf,
  0xb0,
  0xb2,
  0xb3,
  0xb4,
  0xbb,
  0xc2,
  0xc5,
  0xc6,
  0xcf,
  0xd0,
  0xd2,
  0xd3,
  0xd4,
  0xe2,
  0xee,
]);
const SIMD: readonly Known[] = [
  ['loads and store', codes(0, 11), ADDRESS],
  ['v128.const, i8x16.shuffle', [12, 13], SIXTEEN],
  ['swizzle, splats', codes(14, 20), []],
  ['lanes', codes(21, 34), [0x00]],
  ['comparisons, bits', codes(35, 83), []],
  ['loads and stores of lanes', codes(84, 91), [...ADDRESS, 0x00]],
  ['load32_zero, load64_zero', [92, 93], ADDRESS],
  ['arithmetic', codes(94, 255).filter((code) => !SIMD_GAPS.has(code)), []],
];

/** A module with all that an instruction can refer to; its code is unreachable, so operands can be of any type. */
function moduleWith(instruction: readonly number[], rest: readonly number[] = []): Uint8Array<ArrayBuffer> {
  const parts = algorithmParts([UNREACHABLE, ...instruction, UNREACHABLE, ...rest, UNREACHABLE]);
  return moduleOf({
    ...parts,
    types: [...parts.types, [0x60, 0, 0]],
    tables: [[0x70, 0x00, 0x01]],
    globals: [[0x7f, 0x01, ...i32(0)]],
    dataCount: 1,
    data: [[0x01, 0x01, 0x2a]],
  });
}

const cases = (prefix: readonly number[], known: readonly Known[]) =>
  known.map(([name, numbers, immediates, rest = []]) => ({
    name,
    instructions: numbers.map((number) => [...codeBytes(prefix, number), ...immediates]),
    rest,
  }));

/** The opcode after its prefix, in one or two bytes. */
function codeBytes(prefix: readonly number[], number: number): number[] {
  if (prefix.length === 0) return [number];
  return number < 0x80 ? [...prefix, number] : [...prefix, (number & 0x7f) | 0x80, number >> 7];
}

function bytesRead(instruction: readonly number[]): number {
  // The byte after the instruction is not one of its immediates.
  const reader = new ByteReader(Uint8Array.from([...instruction, UNREACHABLE]), 'code section');
  new InstructionReader(reader).next();
  return reader.at;
}

describe('the instruction decoder', () => {
  it.each([...cases([], KNOWN), ...cases([0xfc], BULK), ...cases([0xfd], SIMD)])('reads $name',
    ({ instructions, rest }) => {
      for (const instruction of instructions) {
        const bytes = moduleWith(instruction, rest);
        expect([instruction, WebAssembly.validate(bytes)]).toEqual([instruction, true]);
        expect([instruction, bytesRead(instruction)]).toEqual([instruction, instruction.length]);
        expect([instruction, WebAssembly.validate(meterModule(bytes, 100))]).toEqual([instruction, true]);
      }
    });

  it.each([
    { prefix: [], known: KNOWN, last: 0xff, but: [0x05, 0x0b, 0xfc, 0xfd] },
    { prefix: [0xfc], known: BULK, last: 0x1ff, but: [] },
    { prefix: [0xfd], known: SIMD, last: 0x1ff, but: [] },
  ])('rejects all other instructions with the prefix $prefix', ({ prefix, known, last, but }) => {
    const expected = new Set([...known.flatMap(([, numbers]) => numbers), ...but]);
    for (const number of codes(0, last).filter((code) => !expected.has(code))) {
      const { code, what, where } = rejectionOf(() => inspectModule(moduleWith(codeBytes(prefix, number))));
      expect([number, code, what, where.startsWith('code section, byte ')])
        .toEqual([number, 'invalid-algorithm', 'instruction', true]);
    }
  });

  it.each([
    ['0xfe (threads)', [0xfe, 0x10, 0x02, 0x00]],
    ['0x06 (exceptions)', [0x06, 0x40, END]],
    ['0x12 (tail calls)', [0x12, 0x00]],
    ['0xd2 (reference types)', [0xd2, 0x00]],
    ['0x25 (reference types)', [0x25, 0x00]],
    ['0xfc0f (operations on tables)', [0xfc, 0x0f, 0x00]],
    ['0xfd100 (relaxed SIMD)', [0xfd, 0x80, 0x02]],
    ['0xfb (garbage collection)', [0xfb, 0x00]],
  ])('names %s in the error that rejects it', (got, instruction) => {
    expect(rejectionOf(() => inspectModule(moduleWith(instruction)))).toMatchObject({ what: 'instruction', got });
  });

  it.each([
    ['a second memory by a flag of the alignment', [0x28, 0x40, 0x00, 0x00], 'alignment'],
    ['a second memory by its index', [0xfc, 0x0b, 0x01], 'index of the memory'],
    ['a second table', [0x11, 0x00, 0x01], 'index of the table'],
    ['an index that is longer than 32 bits', [0x20, 0x80, 0x80, 0x80, 0x80, 0x10], 'number'],
    ['an index that is longer than 5 bytes', [0x20, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], 'number'],
    ['a constant that is longer than 32 bits', [0x41, 0xff, 0xff, 0xff, 0xff, 0x0f], 'number'],
    ['a constant that is longer than 64 bits', [0x42, ...Array.from({ length: 9 }, () => 0xff), 0x01], 'number'],
    ['a block of an unknown type', [0x02, 0x41, END], 'value type'],
    ['a branch table with more labels than bytes', [0x0e, 0xff, 0xff, 0xff, 0xff, 0x0f], 'number of items'],
  ])('rejects %s', (_, instruction, what) => {
    expect(rejectionOf(() => inspectModule(moduleWith(instruction)))).toMatchObject({
      code: 'invalid-algorithm',
      what,
    });
  });
});
