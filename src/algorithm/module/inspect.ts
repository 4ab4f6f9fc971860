/**
 * Reads the imports, exports and memory contents of a custom algorithm's module, without running any of it.
 *
 * One kind of start function is accepted: wasm-ld generates it for zero-initialised static data of C and Rust when bulk
 * memory is enabled and memory is imported. It only runs `memory.fill` with zeros at constant addresses.
 */
import { RoceError } from '../../errors.js';
import { DECLARATION_SECTION } from './abi.js';
import type { ModuleExport, ModuleFacts, ModuleImport, StartFunction, ByteRange } from './binary-format.js';
import { ByteReader, invalidModule } from './byte-stream.js';
import { decodeModule, signatureOf, type DecodedModule, LLVM_SECTIONS, NAME_SECTION } from './decode.js';
import type { FunctionBody } from './function-body.js';
import { END, I32_CONST, InstructionReader, MEMORY_FILL } from './instructions.js';

/**
 * Lists the contents of a module. It may break the rules of `checkModule`; WebAssembly itself validates the code.
 * @throws `RoceError` (`invalid-algorithm`) for bytes that are truncated, malformed, or use an unsupported feature
 */
export function inspectModule(bytes: Uint8Array): ModuleFacts {
  return factsOf(decodeModule(bytes));
}

export function factsOf(decoded: DecodedModule): ModuleFacts {
  const { tables, memories, globals, elements, dataSegments } = decoded;
  return {
    imports: decoded.imports.map((item): ModuleImport => {
      const { typeIndex, ...rest } = item;
      return typeIndex === undefined ? rest : { ...rest, signature: decoded.types[typeIndex] };
    }),
    exports: decoded.exports.map((item): ModuleExport =>
      item.kind === 'function' ? { ...item, signature: signatureOf(decoded, item.index) } : item
    ),
    tables,
    memories,
    globals,
    elements,
    dataSegments,
    start: startOf(decoded),
    stackPointer: stackPointerOf(decoded),
    growsMemoryIn: growingFunction(decoded),
    declaration: declarationOf(decoded),
  };
}

function startOf(decoded: DecodedModule): StartFunction | undefined {
  const { start: index, importedFunctions, bodies, sections: { bytes } } = decoded;
  if (index === undefined) return undefined;
  const body = bodies[index - importedFunctions];
  return { index, zeroed: body && readZeroing(bytes, body) };
}

function growingFunction({ bodies, importedFunctions }: DecodedModule): number | undefined {
  const index = bodies.findIndex(({ growsMemory }) => growsMemory);
  return index < 0 ? undefined : index + importedFunctions;
}

function declarationOf({ sections: { bytes, custom } }: DecodedModule): string | undefined {
  const found = custom.filter(({ name }) => name === DECLARATION_SECTION);
  if (found.length === 0) return undefined;
  const where = `custom section ${DECLARATION_SECTION}`;
  if (found.length > 1) throw invalidModule(where, { problem: `occurs ${found.length} times` });
  return new ByteReader(bytes, where, found[0].start, found[0].end).rest();
}

/** The ranges that a function sets to zero; undefined if it does anything else. */
function readZeroing(bytes: Uint8Array, { codeAt, end }: FunctionBody): readonly ByteRange[] | undefined {
  const instruction = new InstructionReader(new ByteReader(bytes, 'code section', codeAt, end));
  const zeroed: ByteRange[] = [];
  while (instruction.next().code !== END) {
    const operands: number[] = [];
    for (; instruction.code === I32_CONST; instruction.next()) operands.push(instruction.operand >>> 0);
    const [address, value, lenBytes] = operands;
    if (instruction.code !== MEMORY_FILL || operands.length !== 3 || value !== 0) return undefined;
    zeroed.push({ address, lenBytes });
  }
  return zeroed;
}

const STACK_POINTER = '__stack_pointer';
/** Subsection of the section `name` with the names of globals. */
const GLOBAL_NAMES = 7;

/**
 * Index of the global that C and Rust use as the pointer of their stack in linear memory; undefined if the module has
 * none, or imports globals, which an algorithm must not do.
 *
 * wasm-ld writes it as the first global, i32 and mutable, and names it `__stack_pointer`. Where names are stripped, it
 * is recognised by functions that subtract from it, or by the sections that LLVM writes.
 */
export function stackPointerOf(decoded: DecodedModule): number | undefined {
  if (decoded.imports.some(({ kind }) => kind === 'global')) return undefined;
  const index = exportedIndex(decoded) ?? namedIndex(decoded) ?? usedIndex(decoded) ?? firstOfLlvm(decoded);
  return index !== undefined && isCandidate(decoded, index) ? index : undefined;
}

function isCandidate({ globals }: DecodedModule, index: number): boolean {
  return globals[index]?.type === 'i32' && globals[index].isMutable;
}

function exportedIndex({ exports }: DecodedModule): number | undefined {
  return exports.find(({ kind, name }) => kind === 'global' && name === STACK_POINTER)?.index;
}

function usedIndex({ bodies }: DecodedModule): number | undefined {
  return bodies.find(({ stackPointer }) => stackPointer !== undefined)?.stackPointer;
}

function firstOfLlvm({ sections: { custom } }: DecodedModule): number | undefined {
  return custom.some(({ name }) => LLVM_SECTIONS.includes(name)) ? 0 : undefined;
}

/** Names do not affect the program: a malformed name section is ignored. */
function namedIndex({ sections: { bytes, custom } }: DecodedModule): number | undefined {
  const names = custom.find(({ name }) => name === NAME_SECTION);
  if (names === undefined) return undefined;
  try {
    return readGlobalNames(new ByteReader(bytes, 'name section', names.start, names.end)).get(STACK_POINTER);
  } catch (error) {
    if (error instanceof RoceError) return undefined;
    throw error;
  }
}

function readGlobalNames(reader: ByteReader): ReadonlyMap<string, number> {
  const indices = new Map<string, number>();
  while (!reader.isAtEnd) {
    const id = reader.byte();
    const part = reader.inner(reader.u32(), reader.part);
    if (id !== GLOBAL_NAMES) continue;
    for (let left = part.count(2); left > 0; left--) {
      const index = part.u32();
      indices.set(part.name(), index);
    }
  }
  return indices;
}
