/**
 * Rules for a module that the host binds: what it imports and exports, what it may do, and where its memory is. The head of
 * `src/algorithm/module/abi.ts` has the names and numbers.
 */
import * as abi from './abi.js';
import { signatureText } from './binary-format.js';
import { decodeModule } from './decode.js';
import { invalidModule } from './faults.js';
import { factsOf } from './inspect.js';
import { requireInRegion } from './region.js';
import type { ModuleExport, ModuleFacts, ModuleImport, Signature } from './types.js';

/** Options of `checkModule`. */
export interface ModuleCheckOptions {
  /** Memory of the module: 0 for bytes 16,384 to 81,919, 1 for the next 65,536, … Default: where its data is. */
  readonly region?: number | undefined;
  /** Handlers that it may export. Default: those of an algorithm. */
  readonly handlers?: readonly abi.HandlerName[];
}

/** A module that keeps the rules. */
export interface CheckedModule extends ModuleFacts {
  /** The handlers that it exports. */
  readonly handlers: readonly abi.HandlerName[];
  /**
   * Memory that its data and its stack are in; undefined if none is known. asc leaves out data that is all zeros, so the first
   * region may be in use all the same.
   */
  readonly region: number | undefined;
}

/** Tells what a module consists of. @throws `RoceError` (`invalid-algorithm`) if it breaks a rule or is not valid */
export function checkModule(bytes: Uint8Array,
  { region: given, handlers = abi.HANDLER_NAMES }: ModuleCheckOptions = {}): CheckedModule {
  const facts = factsOf(decodeModule(bytes));
  facts.imports.forEach(requireMemory);
  requireExports(facts, handlers);
  requireNoStart(facts);
  requireFixedMemory(facts);
  requirePrivateTable(facts);
  const region = requireInRegion(facts, given);
  if (!WebAssembly.validate(Uint8Array.from(bytes)))
    throw invalidModule('module', { problem: 'is not valid WebAssembly' });
  return { ...facts, handlers: handlersOf(facts, handlers), region };
}

function requireMemory({ module, name, kind, limits }: ModuleImport): void {
  const where = `import ${module}.${name}`;
  if (kind !== 'memory' || module !== abi.MEMORY_MODULE || name !== abi.MEMORY_NAME) {
    const hint = name === 'abort' ? 'AssemblyScript: add --use abort= to the options of asc' : undefined;
    const problem = 'is not provided by the host';
    const fields = { problem, got: `a ${kind}`, allowed: 'only the memory env.memory' };
    throw invalidModule(where, hint === undefined ? fields : { ...fields, hint });
  }
  if (limits?.isShared === true) throw invalidModule(where, { problem: 'must not be shared' });
}

function requireExports(facts: ModuleFacts, handlers: readonly abi.HandlerName[]): void {
  for (const item of facts.exports) requireKnownExport(item, handlers);
  const version = facts.exports.find(({ name }) => name === abi.VERSION_NAME);
  const where = `export ${abi.VERSION_NAME}`;
  if (version === undefined)
    throw invalidModule(where, { got: undefined, allowed: functionText(abi.VERSION_SIGNATURE) });
  if (handlersOf(facts, handlers).length === 0) {
    throw invalidModule('exports', {
      problem: 'have no handler',
      got: names(facts.exports),
      allowed: handlers,
    });
  }
}

/** What runs when a program or library of WASI begins; the host calls none of them. */
const STARTING = ['_start', '_initialize'];

function requireKnownExport(item: ModuleExport, handlers: readonly abi.HandlerName[]): void {
  const { name, kind, signature } = item;
  const where = `export ${name}`;
  if (STARTING.includes(name))
    throw invalidModule(where, { problem: 'is never called: a module has no start function' });
  if (kind === 'table') throw invalidModule(where, { problem: 'is a table, which stays in the module' });
  if (!name.startsWith(abi.RESERVED_PREFIX)) return;
  const allowed = signatureByName(name, handlers);
  if (allowed === undefined) {
    throw invalidModule(where, { problem: 'is no handler', allowed: [...handlers, abi.VERSION_NAME] });
  }
  const got = signature === undefined ? `a ${kind}` : functionText(signature);
  if (got !== functionText(allowed)) throw invalidModule(where, { got, allowed: functionText(allowed) });
}

function signatureByName(name: string, handlers: readonly abi.HandlerName[]): Signature | undefined {
  if (name === abi.VERSION_NAME) return abi.VERSION_SIGNATURE;
  return handlers.some((handler) => handler === name) ? abi.HANDLER_SIGNATURE : undefined;
}

function functionText(signature: Signature): string {
  return `a function ${signatureText(signature)}`;
}

function names(items: readonly ModuleExport[]): string[] {
  return items.map(({ name }) => name);
}

function handlersOf({ exports }: ModuleFacts, handlers: readonly abi.HandlerName[]): readonly abi.HandlerName[] {
  const exported = names(exports);
  return handlers.filter((name) => exported.includes(name));
}

/** A start function would run with the memory of the host before anything of it is metered. */
function requireNoStart({ start }: ModuleFacts): void {
  if (start === undefined || start.zeroed !== undefined) return;
  throw invalidModule('start function', {
    problem: 'is not allowed, unless all it does is to fill constant ranges with zeros',
    got: `function ${start.index}`,
    hint: 'AssemblyScript: no statement outside functions; C and C++: no constructor of a static object',
  });
}

function requireFixedMemory({ imports, memories, growsMemoryIn }: ModuleFacts): void {
  if (imports.length !== 1 || memories.length > 0) {
    const got = memories.length > 0 ?
      'a memory in the module' :
      imports.length === 0 ?
      undefined :
      `${imports.length} imports`;
    const hint = 'clang: -Wl,--import-memory; AssemblyScript: --importMemory';
    throw invalidModule('import env.memory', { got, allowed: 'the only memory and the only import', hint });
  }
  if (growsMemoryIn === undefined) return;
  throw invalidModule(`function ${growsMemoryIn}`, {
    problem: 'has a memory.grow',
    hint: 'A handler allocates nothing: no malloc, in AssemblyScript no new, string or array',
  });
}

/** Its table is small, and its functions have a place in it: instantiation cannot fail. */
function requirePrivateTable({ tables, elements }: ModuleFacts): void {
  if (tables.length > 1)
    throw invalidModule('tables', { what: 'number', got: tables.length, allowed: { min: 0, max: 1 } });
  const size = tables[0]?.min ?? 0;
  const allowed = { min: 0, max: abi.TABLE_ENTRIES_MAX };
  if (size > abi.TABLE_ENTRIES_MAX) throw invalidModule('table 0', { what: 'number of entries', got: size, allowed });
  for (const [index, { firstEntry, functions }] of elements.entries()) {
    const end = firstEntry + functions.length;
    if (end <= size) continue;
    throw invalidModule(`elements ${index}`, { what: 'end in the table', got: end, allowed: { min: 0, max: size } });
  }
}
