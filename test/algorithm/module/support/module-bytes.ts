/** Writes WebAssembly modules byte by byte, including invalid ones that no compiler emits. */

export const I32 = 0x7f;
export const I64 = 0x7e;
export const F32 = 0x7d;
export const F64 = 0x7c;
export const END = 0x0b;

/** Signed LEB128 of up to 64 bits. */
export function signed(value: number | bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest < -0x40n || rest >= 0x40n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest & 0x7fn)];
}

/** Unsigned LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push(rest % 0x80 + 0x80);
  return [...bytes, rest];
}

export function text(value: string): number[] {
  const bytes = [...new TextEncoder().encode(value)];
  return [...unsigned(bytes.length), ...bytes];
}

/** The items, preceded by their count. */
export function list(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

export function section(id: number, contents: readonly number[]): number[] {
  return [id, ...unsigned(contents.length), ...contents];
}

export function custom(name: string, contents: readonly number[]): number[] {
  return section(0, [...text(name), ...contents]);
}

/** A constant expression: the address of data or elements. */
export function i32(value: number): number[] {
  return [0x41, ...signed(value | 0), END];
}

export interface Func {
  /** Index of its type. */
  readonly type: number;
  /** Number of i32 locals. */
  readonly locals?: number;
  /** Without the last `end`. */
  readonly code: readonly number[];
}

/** The sections of a module; each item of a list is already encoded. */
export interface Parts {
  readonly types: readonly (readonly number[])[];
  readonly imports?: readonly (readonly number[])[] | undefined;
  readonly functions: readonly Func[];
  readonly tables?: readonly (readonly number[])[];
  readonly memories?: readonly (readonly number[])[];
  readonly globals?: readonly (readonly number[])[];
  readonly exports: readonly (readonly number[])[];
  readonly start?: number;
  readonly elements?: readonly (readonly number[])[];
  readonly dataCount?: number;
  readonly data?: readonly (readonly number[])[];
  /** Whole sections, at the end. */
  readonly custom?: readonly (readonly number[])[];
}

export const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

export function moduleOf(parts: Parts): Uint8Array<ArrayBuffer> {
  const { start, dataCount, custom: others = [] } = parts;
  const optional = (id: number, items: readonly (readonly number[])[] | undefined) =>
    items === undefined ? [] : section(id, list(items));
  return Uint8Array.from([
    ...HEAD,
    ...optional(1, parts.types),
    ...optional(2, parts.imports),
    ...optional(3, parts.functions.map(({ type }) => unsigned(type))),
    ...optional(4, parts.tables),
    ...optional(5, parts.memories),
    ...optional(6, parts.globals),
    ...optional(7, parts.exports),
    ...(start === undefined ? [] : section(8, unsigned(start))),
    ...optional(9, parts.elements),
    ...(dataCount === undefined ? [] : section(12, unsigned(dataCount))),
    ...optional(10, parts.functions.map(functionBytes)),
    ...optional(11, parts.data),
    ...others.flat(),
  ]);
}

function functionBytes({ locals = 0, code }: Func): number[] {
  const body = [...list(locals === 0 ? [] : [[...unsigned(locals), I32]]), ...code, END];
  return [...unsigned(body.length), ...body];
}

export function functionType(parameters: readonly number[], results: readonly number[]): number[] {
  return [0x60, ...list(parameters.map((type) => [type])), ...list(results.map((type) => [type]))];
}

export function exported(name: string, kind: number, index: number): number[] {
  return [...text(name), kind, ...unsigned(index)];
}

export function memoryImport(limits: readonly number[], name = 'memory'): number[] {
  return [...text('env'), ...text(name), 2, ...limits];
}

/** Types of the handlers and of the version. */
export const HANDLER_TYPES = [functionType([I32, I32, F64, I32], [I32]), functionType([], [I32])];

/** The smallest valid algorithm: a version, and `roce_ack` with the given code or `return 0`. */
export function algorithmParts(code: readonly number[] = [0x41, 0], locals = 0): Parts {
  return {
    types: HANDLER_TYPES,
    imports: [memoryImport([0, 1])],
    functions: [{ type: 1, code: [0x41, 1] }, { type: 0, locals, code }],
    exports: [exported('roce_abi_version', 0, 0), exported('roce_ack', 0, 1)],
  };
}

/** The same with other parts. */
export function algorithmWith(parts: Partial<Parts>): Uint8Array<ArrayBuffer> {
  return moduleOf({ ...algorithmParts(), ...parts });
}

export function algorithm(code: readonly number[], locals = 0): Uint8Array<ArrayBuffer> {
  return moduleOf(algorithmParts(code, locals));
}
