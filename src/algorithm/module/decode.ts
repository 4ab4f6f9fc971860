/** Decodes all parts of a module that `inspectModule` reports or `meterModule` changes. */
import * as format from './binary-format.js';
import { ByteReader } from './byte-reader.js';
import { readFunctionBody, type FunctionBody } from './function-body.js';
import * as items from './section-items.js';
import { sectionItems, sectionReader, splitSections, type Sections } from './sections.js';
import type { DataSegment, ElementSegment, Limits, ModuleGlobal, Signature } from './types.js';

export interface DecodedModule {
  readonly sections: Sections;
  readonly types: readonly Signature[];
  readonly imports: readonly items.ImportItem[];
  /** Type index of each function, imports first. */
  readonly functionTypes: readonly number[];
  readonly importedFunctions: number;
  readonly tables: readonly Limits[];
  readonly memories: readonly Limits[];
  readonly globals: readonly ModuleGlobal[];
  readonly exports: readonly items.ExportItem[];
  readonly start: number | undefined;
  readonly elements: readonly ElementSegment[];
  readonly dataSegments: readonly DataSegment[];
  /** Bodies of the functions that the module defines. */
  readonly bodies: readonly FunctionBody[];
}

/** @throws `RoceError` (`invalid-algorithm`) for truncated, malformed or unsupported content */
export function decodeModule(bytes: Uint8Array): DecodedModule {
  const sections = splitSections(bytes);
  const types = sectionItems(sections, format.TYPES, items.readSignature);
  const imports = sectionItems(sections, format.IMPORTS, items.readImport);
  const importedTypes = imports.flatMap(({ typeIndex }) => typeIndex ?? []);
  const ownTypes = sectionItems(sections, format.FUNCTIONS, (reader) => readTypeIndex(reader, types.length));
  const start = sectionReader(sections, format.START)?.u32();
  sectionReader(sections, format.DATA_COUNT)?.u32();
  return {
    sections,
    types,
    imports,
    functionTypes: [...importedTypes, ...ownTypes],
    importedFunctions: importedTypes.length,
    tables: sectionItems(sections, format.TABLES, items.readTable),
    memories: sectionItems(sections, format.MEMORIES, format.readLimits),
    globals: sectionItems(sections, format.GLOBALS, items.readGlobal),
    exports: sectionItems(sections, format.EXPORTS, items.readExport),
    start,
    elements: sectionItems(sections, format.ELEMENTS, items.readElementSegment),
    dataSegments: sectionItems(sections, format.DATA, items.readDataSegment),
    bodies: readBodies(sections, ownTypes.map((index) => types[index])),
  };
}

function readTypeIndex(reader: ByteReader, count: number): number {
  const at = reader.at;
  const got = reader.u32();
  if (got >= count) throw reader.fault({ what: 'index of a type', got, allowed: { min: 0, max: count - 1 } }, at);
  return got;
}

function readBodies(sections: Sections, signatures: readonly Signature[]): FunctionBody[] {
  let next = 0;
  const bodies = sectionItems(sections, format.CODE, (reader) => {
    const body = reader.inner(reader.u32(), reader.part);
    return readFunctionBody(body, signatures[next++]?.parameters.length ?? 0);
  });
  if (bodies.length === signatures.length) return bodies;
  const reader = sectionReader(sections, format.CODE) ?? new ByteReader(sections.bytes, 'module');
  throw reader.fault({ what: 'number of functions', got: bodies.length, allowed: signatures.length });
}

/** The signature of a function by its index, imports first; undefined if there is no such function. */
export function signatureOf({ types, functionTypes }: DecodedModule, index: number): Signature | undefined {
  return types[functionTypes[index]];
}
