/**
 * Rules for modules that the host binds: their imports, exports, instructions and memory. The names and numbers are in
 * `src/algorithm/module/abi.ts`.
 */
import * as abi from './abi.js';
import { requireInRegion } from './region.js';
import { signatureText, type ModuleExport, type ModuleFacts, type ModuleImport,
  type Signature } from './binary-format.js';
import { decodeModule } from './decode.js';
import { invalidModule } from './byte-stream.js';
import { factsOf } from './inspect.js';

/** Options of `checkModule`. */
export interface ModuleCheckOptions {
  /**
   * Memory region of the module: 0 for bytes 16,384 to 81,919, 1 for the next 65,536, … Default: the region of its
   * data.
   */
  readonly region?: number | undefined;
  /** Handlers that the module may export. Default: those of an algorithm. */
  readonly handlers?: readonly abi.HandlerName[];
}

/** A module that follows the rules. */
export interface CheckedModule extends ModuleFacts {
  /** The handlers that the module exports. */
  readonly handlers: readonly abi.HandlerName[];
  /**
   * Region of its data and stack; undefined if none is known. asc omits data that is all zeros, so the first region may
   * be in use all the same.
   */
  readonly region: number | undefined;
}

/**
 * Inspects a module and checks it against the rules. @throws `RoceError` (`invalid-algorithm`) if it breaks a rule or
 * is not valid
 */
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

/** Entry points of WASI programs and libraries; the host never calls them. */
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
    throw invalidModule(where, { problem: 'is not a handler', allowed: [...handlers, abi.VERSION_NAME] });
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

/** Code in a start function would run on the host's memory without being metered. */
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

/** Requires a small table with room for the module's functions, so that instantiation cannot fail. */
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
