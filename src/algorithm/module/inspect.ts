/** Reads the imports, exports and memory contents of a custom algorithm's module, without running any of it. */
import { DECLARATION_SECTION } from './abi.js';
import { ByteReader } from './byte-reader.js';
import { decodeModule, signatureOf, type DecodedModule } from './decode.js';
import { invalidModule } from './faults.js';
import { stackPointerOf } from './stack-pointer.js';
import { readZeroing } from './start-function.js';
import type { ModuleExport, ModuleFacts, ModuleImport, StartFunction } from './types.js';

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
