/**
 * Rewrites a module so that each event ends: it counts its work, and traps when it exceeds its budget.
 *
 * Only functions that may be recursive, directly or through others, can nest calls without limit, so only their depth is
 * counted: browsers and Node overflow their stacks at a depth that differs from machine to machine.
 */
import { RoceError } from '../../errors.js';
import * as abi from './abi.js';
import { regionAddress, regionIndexOf } from './region.js';
import * as format from './binary-format.js';
import { ByteWriter } from './byte-stream.js';
import { decodeModule, type DecodedModule, type ExportItem, type ImportItem, sectionReader } from './decode.js';
import { END, I32_CONST } from './instructions.js';
import { meterBody, wrapperBody, type Counters, type ShadowStack } from './meter-body.js';
import { stackPointerOf } from './inspect.js';
import type { Signature, ValueType } from './binary-format.js';

const I32_MAX = 0x7fffffff;
/** Exports that begin with a full budget. */
const ENTRIES: readonly string[] = [...abi.HANDLER_NAMES, ...abi.POINT_HANDLER_NAMES, abi.VERSION_NAME];

/**
 * Adds a budget to each call of a handler. Loop iterations and function calls cost one unit each, or more in functions
 * of more than 1,000 instructions; each 64 bytes that one instruction fills or copies cost one more.
 *
 * An event that exceeds the budget traps and sets the exported global `roce_fuel` to `FUEL_EXHAUSTED`. The value is
 * `FUEL_TOO_DEEP` if recursion exceeds `CALL_DEPTH_MAX`, `FUEL_STACK_OVERFLOW` if C's stack in linear memory leaves the
 * region, and not negative after any other trap.
 *
 * Drops custom sections, and the maximum of the imported memory, which does not grow.
 *
 * @param bytes a module that `checkModule` accepts
 */
export function meterModule(bytes: Uint8Array, budget: number): Uint8Array<ArrayBuffer> {
  if (!Number.isInteger(budget) || budget < 1 || budget > I32_MAX) {
    throw new RoceError('invalid-argument', {
      where: 'budget',
      got: budget,
      allowed: { min: 1, max: I32_MAX, multipleOf: 1 },
    });
  }
  return new MeteredModule(decodeModule(bytes), budget).write();
}

/** A function that replaces an exported one and calls it. */
interface Wrapper {
  readonly name: string;
  readonly callee: number;
  readonly typeIndex: number;
}

class MeteredModule {
  readonly #module: DecodedModule;
  readonly #budget: number;
  readonly #counters: Counters;
  readonly #wrappers: readonly Wrapper[];
  /** Types of blocks around functions with several results. */
  readonly #blockTypes: Signature[] = [];

  constructor(module: DecodedModule, budget: number) {
    const { globals, imports, exports, functionTypes } = module;
    const first = globals.length + imports.filter(({ kind }) => kind === 'global').length;
    this.#module = module;
    this.#budget = budget;
    this.#counters = { fuel: first, depth: first + 1, stack: shadowStackOf(module) };
    this.#wrappers = exports.filter(({ kind, name }) => kind === 'function' && ENTRIES.includes(name)).map((item) => ({
      name: item.name,
      callee: item.index,
      typeIndex: functionTypes[item.index],
    }));
  }

  write(): Uint8Array<ArrayBuffer> {
    const code = this.#code();
    const rewritten = new Map([
      [format.TYPES, this.#types()],
      [format.IMPORTS, this.#imports()],
      [format.FUNCTIONS, this.#functions()],
      [format.GLOBALS, this.#globals()],
      [format.EXPORTS, this.#exports()],
      [format.CODE, code],
    ]);
    return writeSections(this.#module, rewritten);
  }

  #types(): Uint8Array {
    return extended(this.#module, format.TYPES, this.#blockTypes.map(typeBytes));
  }

  #imports(): Uint8Array | undefined {
    const { imports } = this.#module;
    const memory = imports.length === 1 && imports[0].kind === 'memory' ? imports[0] : undefined;
    return memory && new ByteWriter().u32(1).raw(memoryImportBytes(memory)).done();
  }

  #functions(): Uint8Array {
    return extended(this.#module, format.FUNCTIONS,
      this.#wrappers.map(({ typeIndex }) => new ByteWriter().u32(typeIndex).done()));
  }

  /** Functions that instantiation runs, and exports without a wrapper, get the maximum budget. */
  #globals(): Uint8Array {
    return extended(this.#module, format.GLOBALS, [counterBytes(I32_MAX), counterBytes(abi.CALL_DEPTH_MAX)]);
  }

  #exports(): Uint8Array {
    const { exports, functionTypes } = this.#module;
    const to = new ByteWriter().u32(exports.length + 1);
    for (const item of exports) {
      const wrapper = this.#wrappers.findIndex(({ name }) => name === item.name);
      writeExport(to, wrapper < 0 ? item : { ...item, index: functionTypes.length + wrapper });
    }
    writeExport(to, { name: abi.FUEL_NAME, kind: 'global', index: this.#counters.fuel });
    return to.done();
  }

  #code(): Uint8Array {
    const { bodies, sections: { bytes } } = this.#module;
    const recursive = recursiveFunctions(this.#module);
    const to = new ByteWriter().u32(bodies.length + this.#wrappers.length);
    for (const [index, body] of bodies.entries()) {
      const block = recursive[index] ? this.#blockWriter(index) : undefined;
      to.sized(meterBody({ bytes, body, counters: this.#counters, block }));
    }
    for (const wrapper of this.#wrappers) to.sized(this.#wrapperBody(wrapper));
    return to.done();
  }

  #wrapperBody({ callee, typeIndex }: Wrapper): Uint8Array {
    const parameterCount = this.#module.types[typeIndex].parameters.length;
    return wrapperBody({
      counters: this.#counters,
      budget: this.#budget,
      depth: abi.CALL_DEPTH_MAX,
      callee,
      parameterCount,
    });
  }

  /** Returns a writer for the type of a block with the function's results. */
  #blockWriter(ownIndex: number): (to: ByteWriter) => void {
    const { types, functionTypes, importedFunctions } = this.#module;
    const { results } = types[functionTypes[importedFunctions + ownIndex]];
    if (results.length === 0) return (to) => to.byte(format.NO_RESULT);
    if (results.length === 1) return (to) => to.byte(format.valueTypeByte(results[0]));
    const index = types.length + this.#blockTypes.push({ parameters: [], results }) - 1;
    return (to) => to.s32(index);
  }
}

/** The shadow stack; it must not leave the region in which it begins. */
function shadowStackOf(module: DecodedModule): ShadowStack | undefined {
  const pointer = stackPointerOf(module);
  if (pointer === undefined) return undefined;
  const top = Number(module.globals[pointer].initial) >>> 0;
  return { pointer, top, end: regionAddress(Math.max(0, regionIndexOf(top - 1))) };
}

/** The contents of a section with items appended; all sections are lists after a count. */
function extended({ sections }: DecodedModule, id: number, more: readonly Uint8Array[]): Uint8Array {
  const reader = sectionReader(sections, id);
  const count = reader?.u32() ?? 0;
  const to = new ByteWriter().u32(count + more.length);
  if (reader !== undefined) to.raw(reader.bytes.subarray(reader.at, reader.end));
  for (const item of more) to.raw(item);
  return to.done();
}

/** Writes the sections in order, rewritten ones with their new contents. */
function writeSections({ sections: { bytes, byId } }: DecodedModule,
  rewritten: ReadonlyMap<number, Uint8Array | undefined>): Uint8Array<ArrayBuffer> {
  const to = new ByteWriter().byte(...format.MODULE_HEAD);
  for (const id of format.SECTION_ORDER) {
    const section = byId.get(id);
    const contents = rewritten.get(id) ?? (section && bytes.subarray(section.start, section.end));
    if (contents !== undefined) to.byte(id).sized(contents);
  }
  return to.done();
}

function typeBytes({ parameters, results }: Signature): Uint8Array {
  const to = new ByteWriter().byte(format.FUNCTION_TYPE);
  for (const list of [parameters, results]) writeValueTypes(to, list);
  return to.done();
}

function writeValueTypes(to: ByteWriter, types: readonly ValueType[]): void {
  to.u32(types.length).byte(...types.map(format.valueTypeByte));
}

function memoryImportBytes({ module, name, limits }: ImportItem): Uint8Array {
  const kind = format.ITEM_KINDS.indexOf('memory');
  return new ByteWriter().name(module).name(name).byte(kind, 0).u32(limits?.min ?? 0).done();
}

function counterBytes(initial: number): Uint8Array {
  return new ByteWriter().byte(format.valueTypeByte('i32'), 1, I32_CONST).s32(initial).byte(END).done();
}

function writeExport(to: ByteWriter, { name, kind, index }: ExportItem): void {
  to.name(name).byte(format.ITEM_KINDS.indexOf(kind)).u32(index);
}

/**
 * Marks the functions from which a cycle of calls can be reached, by index without imports. All others always end.
 *
 * A function is removed once all functions it calls are removed. Each remaining function calls a remaining one, so it
 * is on a cycle or leads to one. A call through the table may reach any function in it.
 */
export function recursiveFunctions({ bodies, importedFunctions, elements }: DecodedModule): readonly boolean[] {
  const table = bodies.length;
  const inTable = new Set(elements.flatMap(({ functions }) => functions));
  const calls = bodies.map(({ callees, callsTable }) => {
    const own = callees.map((index) => index - importedFunctions).filter((index) => index >= 0 && index < table);
    return callsTable ? [...own, table] : own;
  });
  calls.push([...inTable].map((index) => index - importedFunctions).filter((index) => index >= 0 && index < table));
  return remaining(calls).slice(0, table);
}

function remaining(calls: readonly (readonly number[])[]): boolean[] {
  const callers: number[][] = calls.map(() => []);
  for (const [caller, callees] of calls.entries()) { for (const callee of callees) callers[callee].push(caller); }
  const left = calls.map((callees) => callees.length);
  const ended = left.flatMap((count, index) => count === 0 ? [index] : []);
  const remains = calls.map(() => true);
  for (let index = ended.pop(); index !== undefined; index = ended.pop()) {
    remains[index] = false;
    for (const caller of callers[index]) if (--left[caller] === 0) ended.push(caller);
  }
  return remains;
}
