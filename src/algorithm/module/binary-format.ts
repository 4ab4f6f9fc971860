/** Constants and contents of the binary format of modules (WebAssembly Core Specification 2.0, chapter 5). */
import type { ByteReader } from './byte-stream.js';

/** Type of a value on the stack. */
export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

/** Parameters and results of a function. */
export interface Signature {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

/** Size of a memory, in pages of 64 KiB, or of a table, in entries. */
export interface Limits {
  readonly min: number;
  readonly max?: number | undefined;
  readonly isShared: boolean;
}

/** Kind of an import or export. */
export type ItemKind = 'function' | 'table' | 'memory' | 'global';

/** One import. */
export interface ModuleImport {
  readonly module: string;
  readonly name: string;
  readonly kind: ItemKind;
  /** Signature of a function. */
  readonly signature?: Signature | undefined;
  /** Size of a memory or table. */
  readonly limits?: Limits | undefined;
}

/** One export. */
export interface ModuleExport {
  readonly name: string;
  readonly kind: ItemKind;
  /** Index among the items of its kind, imports first. */
  readonly index: number;
  /** Signature of a function. */
  readonly signature?: Signature | undefined;
}

/** A global that the module defines. */
export interface ModuleGlobal {
  readonly type: ValueType;
  readonly isMutable: boolean;
  /** Initial value; absent for v128. */
  readonly initial?: number | bigint | undefined;
}

/** A range of bytes in linear memory. */
export interface ByteRange {
  readonly address: number;
  readonly lenBytes: number;
}

/** A data segment. */
export interface DataSegment {
  /** Where instantiation copies it; absent for passive segments, which only `memory.init` copies. */
  readonly address?: number | undefined;
  readonly lenBytes: number;
}

/** Functions that instantiation writes into the table. */
export interface ElementSegment {
  readonly firstEntry: number;
  readonly functions: readonly number[];
}

/** The function that instantiation calls. */
export interface StartFunction {
  readonly index: number;
  /** Ranges that it sets to zero, if it does nothing else: zero-initialised static data of C. */
  readonly zeroed?: readonly ByteRange[] | undefined;
}

/** Result of `inspectModule`. */
export interface ModuleFacts {
  readonly imports: readonly ModuleImport[];
  readonly exports: readonly ModuleExport[];
  /** Tables and memories that the module defines. */
  readonly tables: readonly Limits[];
  readonly memories: readonly Limits[];
  readonly globals: readonly ModuleGlobal[];
  readonly elements: readonly ElementSegment[];
  readonly dataSegments: readonly DataSegment[];
  readonly start?: StartFunction | undefined;
  /** Index of the global that is the stack pointer of C and Rust, if there is one. */
  readonly stackPointer?: number | undefined;
  /** Index of the first function with a `memory.grow` instruction. */
  readonly growsMemoryIn?: number | undefined;
  /** Text of the custom section `roce_cc_algorithm`. */
  readonly declaration?: string | undefined;
}

/** First bytes of a module: `\0asm`, version 1. */
export const MODULE_HEAD: readonly number[] = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

export const CUSTOM = 0;
export const TYPES = 1;
export const IMPORTS = 2;
export const FUNCTIONS = 3;
export const TABLES = 4;
export const MEMORIES = 5;
export const GLOBALS = 6;
export const EXPORTS = 7;
export const START = 8;
export const ELEMENTS = 9;
export const CODE = 10;
export const DATA = 11;
export const DATA_COUNT = 12;

/** Sections in the order that the format requires. */
export const SECTION_ORDER: readonly number[] = [
  TYPES,
  IMPORTS,
  FUNCTIONS,
  TABLES,
  MEMORIES,
  GLOBALS,
  EXPORTS,
  START,
  ELEMENTS,
  DATA_COUNT,
  CODE,
  DATA,
];

/** Section names by section id. */
export const SECTION_NAMES: readonly string[] = [
  'custom',
  'type',
  'import',
  'function',
  'table',
  'memory',
  'global',
  'export',
  'start',
  'element',
  'code',
  'data',
  'data count',
];

/** Kinds of imports and exports by number. */
export const ITEM_KINDS: readonly ItemKind[] = ['function', 'table', 'memory', 'global'];

const VALUE_TYPE_BYTES: Readonly<Record<ValueType, number>> = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
};
const VALUE_TYPES = new Map(Object.entries(VALUE_TYPE_BYTES).map(([type, byte]) => [byte, type as ValueType]));

export const FUNCTION_TYPE = 0x60;
export const FUNCTION_REFERENCE = 0x70;
export const NO_RESULT = 0x40;

const HAS_MAX = 1;
const IS_SHARED = 2;

export function valueTypeByte(type: ValueType): number {
  return VALUE_TYPE_BYTES[type];
}

export function readValueType(reader: ByteReader): ValueType {
  const at = reader.at;
  const byte = reader.byte();
  const type = VALUE_TYPES.get(byte);
  if (type === undefined) throw reader.fault({ what: 'value type', got: byte, allowed: [...VALUE_TYPES.values()] }, at);
  return type;
}

/** Reads the size of a table or memory; rejects 64-bit addresses and custom page sizes. */
export function readLimits(reader: ByteReader): Limits {
  const at = reader.at;
  const flags = reader.byte();
  if (flags > (HAS_MAX | IS_SHARED)) {
    throw reader.fault({ what: 'flags of the size', got: flags, allowed: { min: 0, max: HAS_MAX | IS_SHARED } }, at);
  }
  const min = reader.u32();
  return { min, max: (flags & HAS_MAX) === 0 ? undefined : reader.u32(), isShared: (flags & IS_SHARED) !== 0 };
}

/** A signature as text: `(i32, f64) -> i32`. */
export function signatureText({ parameters, results }: Signature): string {
  return `(${parameters.join(', ')}) -> ${results.length === 1 ? results[0] : `(${results.join(', ')})`}`;
}
