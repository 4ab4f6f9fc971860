/**
 * Splits a module into its sections, and decodes all parts that `inspectModule` reports or `meterModule` changes.
 */
import { DECLARATION_SECTION, MODULE_BYTES_MAX, SECTION_BYTES_MAX } from './abi.js';
import * as format from './binary-format.js';
import { readLimits, readValueType, type DataSegment, type ElementSegment, type ItemKind, type Limits,
  type ModuleGlobal, type Signature, type ValueType, CUSTOM, MODULE_HEAD, SECTION_NAMES,
  SECTION_ORDER } from './binary-format.js';
import { ByteReader, invalidModule } from './byte-stream.js';
import { readFunctionBody, type FunctionBody } from './function-body.js';
import * as op from './instructions.js';
import { InstructionReader } from './instructions.js';

export interface DecodedModule {
  readonly sections: Sections;
  readonly types: readonly Signature[];
  readonly imports: readonly ImportItem[];
  /** Type index of each function, imports first. */
  readonly functionTypes: readonly number[];
  readonly importedFunctions: number;
  readonly tables: readonly Limits[];
  readonly memories: readonly Limits[];
  readonly globals: readonly ModuleGlobal[];
  readonly exports: readonly ExportItem[];
  readonly start: number | undefined;
  readonly elements: readonly ElementSegment[];
  readonly dataSegments: readonly DataSegment[];
  /** Bodies of the functions that the module defines. */
  readonly bodies: readonly FunctionBody[];
}

/** @throws `RoceError` (`invalid-algorithm`) for truncated, malformed or unsupported content */
export function decodeModule(bytes: Uint8Array): DecodedModule {
  const sections = splitSections(bytes);
  const types = sectionItems(sections, format.TYPES, readSignature);
  const imports = sectionItems(sections, format.IMPORTS, readImport);
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
    tables: sectionItems(sections, format.TABLES, readTable),
    memories: sectionItems(sections, format.MEMORIES, format.readLimits),
    globals: sectionItems(sections, format.GLOBALS, readGlobal),
    exports: sectionItems(sections, format.EXPORTS, readExport),
    start,
    elements: sectionItems(sections, format.ELEMENTS, readElementSegment),
    dataSegments: sectionItems(sections, format.DATA, readDataSegment),
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

/** An import; a function has the index of its type. */
export interface ImportItem {
  readonly module: string;
  readonly name: string;
  readonly kind: ItemKind;
  readonly typeIndex?: number;
  readonly limits?: Limits;
}

export interface ExportItem {
  readonly name: string;
  readonly kind: ItemKind;
  readonly index: number;
}

export function readSignature(reader: ByteReader): Signature {
  const at = reader.at;
  const form = reader.byte();
  if (form !== format.FUNCTION_TYPE)
    throw reader.fault({ what: 'item', problem: 'is not a function type', got: form }, at);
  const parameters = reader.list(() => readValueType(reader));
  return { parameters, results: reader.list(() => readValueType(reader)) };
}

export function readImport(reader: ByteReader): ImportItem {
  const named = { module: reader.name(), name: reader.name() };
  const kind = readKind(reader);
  switch (kind) {
    case 'function':
      return { ...named, kind, typeIndex: reader.u32() };
    case 'table':
      return { ...named, kind, limits: readTable(reader) };
    case 'memory':
      return { ...named, kind, limits: readLimits(reader) };
    case 'global':
      readGlobalType(reader);
      return { ...named, kind };
  }
}

export function readExport(reader: ByteReader): ExportItem {
  return { name: reader.name(), kind: readKind(reader), index: reader.u32() };
}

function readKind(reader: ByteReader): ItemKind {
  const at = reader.at;
  const got = reader.byte();
  const kind = format.ITEM_KINDS[got];
  if (kind === undefined) throw reader.fault({ what: 'kind', got, allowed: { min: 0, max: 3 } }, at);
  return kind;
}

export function readTable(reader: ByteReader): Limits {
  const at = reader.at;
  const type = reader.byte();
  if (type !== format.FUNCTION_REFERENCE) throw reader.fault({ what: 'entries', problem: 'are not functions' }, at);
  return readLimits(reader);
}

function readGlobalType(reader: ByteReader): { readonly type: ValueType; readonly isMutable: boolean } {
  const type = readValueType(reader);
  const at = reader.at;
  const mutability = reader.byte();
  if (mutability > 1) throw reader.fault({ what: 'mutability', got: mutability, allowed: [0, 1] }, at);
  return { type, isMutable: mutability === 1 };
}

export function readGlobal(reader: ByteReader): ModuleGlobal {
  return { ...readGlobalType(reader), initial: readConstant(reader) };
}

/** A constant expression of one instruction. */
function readConstant(reader: ByteReader): number | bigint | undefined {
  const start = reader.at;
  const code = reader.byte();
  reader.at = start;
  const value = readConstantValue(reader, code);
  if (reader.byte() === op.END) return value;
  throw reader.fault({ what: 'expression', problem: 'is not one constant' }, start);
}

function readConstantValue(reader: ByteReader, code: number): number | bigint | undefined {
  const start = reader.at;
  if (code === op.I64_CONST) {
    reader.skip(1);
    return reader.signed64();
  }
  const instruction = new InstructionReader(reader).next();
  const view = new DataView(reader.bytes.buffer, reader.bytes.byteOffset + start + 1);
  switch (instruction.code) {
    case op.I32_CONST:
      return instruction.operand;
    case op.F32_CONST:
      return view.getFloat32(0, true);
    case op.F64_CONST:
      return view.getFloat64(0, true);
    case op.V128_CONST:
      return undefined;
    default:
      throw reader.fault({ what: 'expression', problem: 'is not a constant' }, start);
  }
}

/** An i32 constant, as an unsigned number. */
function readOffset(reader: ByteReader): number {
  const start = reader.at;
  const code = reader.byte();
  reader.at = start;
  const value = readConstant(reader);
  if (code === op.I32_CONST) return Number(value) >>> 0;
  throw reader.fault({ what: 'offset', problem: 'is not an i32 constant' }, start);
}

const PASSIVE = 1;
const OF_MEMORY = 2;

export function readDataSegment(reader: ByteReader): DataSegment {
  const at = reader.at;
  const flags = reader.u32();
  if (flags > OF_MEMORY) throw reader.fault({ what: 'kind of data', got: flags, allowed: [0, 1, 2] }, at);
  if (flags === OF_MEMORY) requireFirst(reader, 'memory');
  const address = flags === PASSIVE ? undefined : readOffset(reader);
  const lenBytes = reader.count();
  reader.skip(lenBytes);
  return { address, lenBytes };
}

const OF_TABLE = 2;

/** Functions to be written to the table at instantiation; other kinds need table instructions. */
export function readElementSegment(reader: ByteReader): ElementSegment {
  const at = reader.at;
  const flags = reader.u32();
  if (flags !== 0 && flags !== OF_TABLE)
    throw reader.fault({ what: 'kind of elements', got: flags, allowed: [0, 2] }, at);
  if (flags === OF_TABLE) requireFirst(reader, 'table');
  const firstEntry = readOffset(reader);
  if (flags === OF_TABLE) requireFirst(reader, 'kind');
  return { firstEntry, functions: reader.list(() => reader.u32()) };
}

function requireFirst(reader: ByteReader, what: string): void {
  const at = reader.at;
  const got = reader.u32();
  if (got !== 0) throw reader.fault({ what: `index of the ${what}`, got, allowed: 0 }, at);
}

/** A standard section: the position of its contents. */
export interface Section {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** A custom section: its name, and the position of the contents after the name. */
interface CustomSection extends Section {
  readonly name: string;
}

export interface Sections {
  readonly bytes: Uint8Array;
  readonly byId: ReadonlyMap<number, Section>;
  /** Custom sections named in `READ_CUSTOM`. */
  readonly custom: readonly CustomSection[];
}

export const NAME_SECTION = 'name';
/** Custom sections written by the LLVM tools: clang, rustc, wasm-ld. */
export const LLVM_SECTIONS = ['producers', 'target_features'];
const READ_CUSTOM = [DECLARATION_SECTION, NAME_SECTION, ...LLVM_SECTIONS];

/** The sections of a module, in file order. */
function splitSections(bytes: Uint8Array): Sections {
  const reader = new ByteReader(bytes, 'module');
  readHead(reader);
  const byId = new Map<number, Section>();
  const custom: CustomSection[] = [];
  let rank = -1;
  let lenBytes = 0;
  while (!reader.isAtEnd) {
    const at = reader.at;
    const id = reader.byte();
    const contents = reader.inner(reader.u32(), `${SECTION_NAMES[id] ?? 'unknown'} section`);
    if (id === CUSTOM) custom.push(...readCustom(contents));
    else {
      rank = nextRank(reader, id, rank, at);
      lenBytes += contents.end - contents.at;
      byId.set(id, { id, start: contents.at, end: contents.end });
    }
  }
  requireLength('sections', lenBytes, SECTION_BYTES_MAX);
  return { bytes, byId, custom };
}

function readHead(reader: ByteReader): void {
  const { bytes } = reader;
  requireLength('module', bytes.length, MODULE_BYTES_MAX);
  if (MODULE_HEAD.some((byte, at) => bytes[at] !== byte)) {
    const got = bytes.subarray(0, MODULE_HEAD.length);
    throw invalidModule('module', { problem: 'does not begin with the header of WebAssembly version 1', got });
  }
  reader.skip(MODULE_HEAD.length);
}

function requireLength(where: string, got: number, max: number): void {
  if (got > max) throw invalidModule(where, { what: 'length', got, allowed: { min: 0, max, unit: 'bytes' } });
}

function readCustom(contents: ByteReader): CustomSection[] {
  const name = contents.name();
  return READ_CUSTOM.includes(name) ? [{ id: CUSTOM, name, start: contents.at, end: contents.end }] : [];
}

function nextRank(reader: ByteReader, id: number, last: number, at: number): number {
  const rank = SECTION_ORDER.indexOf(id);
  const what = `section ${SECTION_NAMES[id] ?? id}`;
  if (rank < 0) throw reader.fault({ what, problem: 'is not supported' }, at);
  if (rank <= last) throw reader.fault({ what, problem: 'is out of order' }, at);
  return rank;
}

/** A reader of a section that must be read to its end; undefined if the module has no such section. */
export function sectionReader({ bytes, byId }: Sections, id: number): ByteReader | undefined {
  const section = byId.get(id);
  return section && new ByteReader(bytes, `${SECTION_NAMES[id]} section`, section.start, section.end);
}

/** The items of a section, in order; empty if the module has no such section. */
function sectionItems<Item>(sections: Sections, id: number, read: (reader: ByteReader) => Item): Item[] {
  const reader = sectionReader(sections, id);
  if (reader === undefined) return [];
  const items = reader.list(() => read(reader));
  reader.requireEnd();
  return items;
}
