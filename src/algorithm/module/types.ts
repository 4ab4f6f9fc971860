/** Types for the contents of a module. */

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
