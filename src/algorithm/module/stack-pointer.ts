/**
 * Finds the global that C and Rust use as the pointer of their stack in linear memory.
 *
 * wasm-ld writes it as the first global, i32 and mutable, and names it `__stack_pointer`. Where names are stripped, it
 * is recognised by functions that subtract from it, or by the sections that LLVM writes.
 */
import { ByteReader } from './byte-stream.js';
import type { DecodedModule } from './decode.js';
import { RoceError } from '../../errors.js';
import { LLVM_SECTIONS, NAME_SECTION } from './sections.js';

const STACK_POINTER = '__stack_pointer';
/** Subsection of the section `name` with the names of globals. */
const GLOBAL_NAMES = 7;

/** Index of the stack pointer; undefined if the module has none, or imports globals, which an algorithm must not do. */
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
