/**
 * JavaScript functions as entries of a WebAssembly table.
 *
 * A table only takes functions of modules, so a small module imports the JavaScript functions and exports them again.
 * All handlers have the type (i32, i32, f64, i32) -> i32, so one module with eight functions is enough.
 */
import { HANDLER_COUNT } from '../abi/custom-layout.js';

/**
 * A handler as the kernel calls it: address of the QP's record, parameters, time in picoseconds, argument; the result
 * is HANDLED_*.
 */
export type RawHandler = (qp: number, parameters: number, timePs: number, argument: number) => number;

const I32 = 0x7f;
const F64 = 0x7c;
const FUNCTION = 0;
const names = Array.from({ length: HANDLER_COUNT }, (_, index) => String(index));

/** Builds a section. It must have fewer than 128 bytes, so that each length is one byte. */
const section = (id: number, content: readonly number[]): number[] => [id, content.length, ...content];
const text = (word: string): number[] => [word.length, ...Array.from(word, (letter) => letter.charCodeAt(0))];
const vector = (items: readonly (readonly number[])[]): number[] => [items.length, ...items.flat()];

/** The module (WebAssembly core specification, section 5.5): types, imports, exports. */
function moduleBytes(): Uint8Array<ArrayBuffer> {
  const type = [0x60, 4, I32, I32, F64, I32, 1, I32];
  const imports = names.map((name) => [...text('h'), ...text(name), FUNCTION, 0]);
  const exports = names.map((name, index) => [...text(name), FUNCTION, index]);
  return Uint8Array.from([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, vector([type])),
    ...section(2, vector(imports)),
    ...section(7, vector(exports)),
  ]);
}

let compiled: WebAssembly.Module | undefined;

/** The functions as table entries, by HANDLER_*; missing ones are never called. */
export function asTableFunctions(handlers: readonly (RawHandler | undefined)[]): readonly CallableFunction[] {
  compiled ??= new WebAssembly.Module(moduleBytes());
  const h = Object.fromEntries(names.map((name, index) => [name, handlers[index] ?? missing]));
  const { exports } = new WebAssembly.Instance(compiled, { h });
  return names.map((name) => exports[name] as CallableFunction);
}

function missing(): never {
  throw new Error('a handler that was not registered');
}
