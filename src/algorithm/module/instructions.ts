/**
 * Instructions and the immediates that follow their opcodes: WebAssembly 1.0, sign extension, saturating conversion,
 * bulk memory, multiple results and SIMD. All others are rejected, since they could not be metered.
 *
 * A prefixed instruction has the code prefix * 256 + number, for example 0xfc0b for `memory.fill`.
 */
import { NO_RESULT, readValueType } from './binary-format.js';
import type { ByteReader } from './byte-stream.js';

export const UNREACHABLE = 0x00;
export const BLOCK = 0x02;
export const LOOP = 0x03;
export const IF = 0x04;
export const END = 0x0b;
export const BRANCH = 0x0c;
export const RETURN = 0x0f;
export const CALL = 0x10;
export const CALL_INDIRECT = 0x11;
export const LOCAL_GET = 0x20;
export const LOCAL_SET = 0x21;
export const LOCAL_TEE = 0x22;
export const GLOBAL_GET = 0x23;
export const GLOBAL_SET = 0x24;
export const MEMORY_GROW = 0x40;
export const I32_CONST = 0x41;
export const I64_CONST = 0x42;
export const F32_CONST = 0x43;
export const F64_CONST = 0x44;
export const I32_LT_S = 0x48;
export const I32_LT_U = 0x49;
export const I32_ADD = 0x6a;
export const I32_SUB = 0x6b;
export const I32_SHR_U = 0x76;
export const MEMORY_INIT = 0xfc08;
export const MEMORY_COPY = 0xfc0a;
export const MEMORY_FILL = 0xfc0b;
export const V128_CONST = 0xfd0c;

/** The immediates that follow an opcode. */
type Immediates = 'none' | 'block' | 'index' | 'labels' | 'indirect-call' | 'types' | 'memory' | 'two-memories'
  | 'data-in-memory' | 'address' | 'address-lane' | 'lane' | 'i32' | 'i64' | '4-bytes' | '8-bytes' | '16-bytes';

/** Codes from first to last, inclusive. */
type Codes<Value> = readonly [first: number, last: number, value: Value];

const KNOWN: readonly Codes<Immediates>[] = [
  [0x00, 0x01, 'none'], // unreachable, nop
  [0x02, 0x04, 'block'],
  [0x05, 0x05, 'none'], // else
  [0x0b, 0x0b, 'none'], // end
  [0x0c, 0x0d, 'index'], // br, br_if
  [0x0e, 0x0e, 'labels'],
  [0x0f, 0x0f, 'none'], // return
  [0x10, 0x10, 'index'], // call
  [0x11, 0x11, 'indirect-call'],
  [0x1a, 0x1b, 'none'], // drop, select
  [0x1c, 0x1c, 'types'], // select with a type
  [0x20, 0x24, 'index'], // locals, globals
  [0x28, 0x3e, 'address'], // loads, stores
  [0x3f, 0x40, 'memory'], // memory.size, memory.grow
  [0x41, 0x41, 'i32'],
  [0x42, 0x42, 'i64'],
  [0x43, 0x43, '4-bytes'],
  [0x44, 0x44, '8-bytes'],
  [0x45, 0xc4, 'none'], // numeric, sign extension
  [0xfc00, 0xfc07, 'none'], // saturating conversion
  [0xfc08, 0xfc08, 'data-in-memory'], // memory.init
  [0xfc09, 0xfc09, 'index'], // data.drop
  [0xfc0a, 0xfc0a, 'two-memories'], // memory.copy
  [0xfc0b, 0xfc0b, 'memory'], // memory.fill
  [0xfd00, 0xfd0b, 'address'], // loads, store
  [0xfd0c, 0xfd0d, '16-bytes'], // v128.const, i8x16.shuffle
  [0xfd0e, 0xfd14, 'none'], // swizzle, splats
  [0xfd15, 0xfd22, 'lane'], // extract, replace
  [0xfd23, 0xfd53, 'none'],
  [0xfd54, 0xfd5b, 'address-lane'],
  [0xfd5c, 0xfd5d, 'address'], // load32_zero, load64_zero
  [0xfd5e, 0xfdff, 'none'],
];

/** SIMD numbers not assigned to an instruction. */
const UNASSIGNED = new Set([
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
].map((number) => 0xfd00 + number));

/** Names of rejected features, for errors. */
const FOREIGN: readonly Codes<string>[] = [
  [0x06, 0x0a, 'exceptions'],
  [0x12, 0x13, 'tail calls'],
  [0x14, 0x15, 'function references'],
  [0x18, 0x1f, 'exceptions'],
  [0x25, 0x26, 'reference types'],
  [0xd0, 0xd2, 'reference types'],
  [0xd3, 0xd6, 'function references'],
  [0xfb, 0xfb, 'garbage collection'],
  [0xfc0c, 0xfc11, 'operations on tables'],
  [0xfd100, 0xfd1ff, 'relaxed SIMD'],
  [0xfe, 0xfe, 'threads'],
];

const BULK_PREFIX = 0xfc;
const SIMD_PREFIX = 0xfd;
/** Maximum alignment exponent: 16 bytes. Greater values are flags of the multi-memory extension. */
const ALIGNMENT_MAX = 4;

const IMMEDIATES = new Map(
  KNOWN.flatMap(([first, last, immediates]) =>
    Array.from({ length: last - first + 1 }, (_, index): [number, Immediates] => [first + index, immediates])
  ).filter(([code]) => !UNASSIGNED.has(code)),
);

/** Reads the instructions one by one. */
export class InstructionReader {
  /** Code of the current instruction. */
  code = UNREACHABLE;
  /** Offset of its code. */
  start: number;
  /** Index or i32 constant of the current instruction. */
  operand = 0;

  constructor(readonly reader: ByteReader) {
    this.start = reader.at;
  }

  /** Reads the next instruction. @throws `RoceError` if there is none, or if it is unknown */
  next(): this {
    const { reader } = this;
    this.start = reader.at;
    this.code = reader.byte();
    if (this.code === BULK_PREFIX || this.code === SIMD_PREFIX) this.code = codeBehind(this.code, reader.u32());
    const immediates = IMMEDIATES.get(this.code);
    if (immediates === undefined) throw this.#unknown();
    this.operand = readImmediates(reader, immediates);
    return this;
  }

  #unknown(): Error {
    const { code } = this;
    const kind = FOREIGN.find(([first, last]) => code >= first && code <= last)?.[2] ?? 'unknown';
    return this.reader.fault({
      what: 'instruction',
      got: `0x${code.toString(16).padStart(2, '0')} (${kind})`,
      allowed: 'one of WebAssembly 1.0, sign extension, saturating conversion, bulk memory or SIMD',
    }, this.start);
  }
}

/** SIMD has instructions past 255: append the digits of their number, as in 0xfd100. */
function codeBehind(prefix: number, number: number): number {
  return number < 0x100 ? prefix * 0x100 + number : prefix * 0x1000 + number;
}

/** Reads the immediates. @returns the index or i32 constant, 0 if there is none */
function readImmediates(reader: ByteReader, immediates: Immediates): number {
  switch (immediates) {
    case 'none':
      return 0;
    case 'index':
      return reader.u32();
    case 'i32':
      return reader.signed(32);
    case 'address':
      return readAddress(reader);
    case 'block':
      return readBlockType(reader);
    case 'memory':
      return readZero(reader, 'memory');
    case 'lane':
      return reader.byte();
    default:
      return readLongImmediates(reader, immediates);
  }
}

function readLongImmediates(reader: ByteReader, immediates: Immediates): number {
  switch (immediates) {
    case 'labels':
      reader.list(() => reader.u32());
      return reader.u32();
    case 'indirect-call':
      return readIndexThen(reader, () => readZero(reader, 'table'));
    case 'types':
      reader.list(() => readValueType(reader));
      return 0;
    case 'two-memories':
      return readZero(reader, 'memory') + readZero(reader, 'memory');
    case 'data-in-memory':
      return readIndexThen(reader, () => readZero(reader, 'memory'));
    case 'address-lane':
      readAddress(reader);
      return reader.byte();
    case 'i64':
      reader.signed64();
      return 0;
    default:
      reader.skip(parseInt(immediates, 10));
      return 0;
  }
}

function readIndexThen(reader: ByteReader, readRest: () => void): number {
  const index = reader.u32();
  readRest();
  return index;
}

/** Requires index 0: a module has one memory and one table. */
function readZero(reader: ByteReader, what: string): number {
  const at = reader.at;
  const got = reader.u32();
  if (got !== 0) throw reader.fault({ what: `index of the ${what}`, got, allowed: 0 }, at);
  return 0;
}

function readAddress(reader: ByteReader): number {
  const at = reader.at;
  const got = reader.u32();
  if (got > ALIGNMENT_MAX) throw reader.fault({ what: 'alignment', got, allowed: { min: 0, max: ALIGNMENT_MAX } }, at);
  return reader.u32();
}

/** A block type: no result, one, or the index of a type. */
function readBlockType(reader: ByteReader): number {
  const first = reader.bytes[reader.at];
  if (first === NO_RESULT) return reader.byte();
  if (first > NO_RESULT && first < 0x80) readValueType(reader);
  else if (reader.signed(33) < 0) throw reader.fault({ what: 'type of a block', problem: 'is unknown' });
  return 0;
}
