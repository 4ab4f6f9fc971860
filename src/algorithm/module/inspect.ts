/**
 * Reads the imports, exports and memory contents of a custom algorithm's module, without running any of it.
 *
 * One kind of start function is accepted: wasm-ld generates it for zero-initialised static data of C and Rust when bulk
 * memory is enabled and memory is imported. It only runs `memory.fill` with zeros at constant addresses.
 */
import { DECLARATION_SECTION } from './abi.js';
import { ByteReader, invalidModule } from './byte-stream.js';
import { decodeModule, signatureOf, type DecodedModule } from './decode.js';
import type { FunctionBody } from './function-body.js';
import { END, I32_CONST, InstructionReader, MEMORY_FILL } from './instructions.js';
import { stackPointerOf } from './stack-pointer.js';
import type { ModuleExport, ModuleFacts, ModuleImport, StartFunction, ByteRange } from './binary-format.js';

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
