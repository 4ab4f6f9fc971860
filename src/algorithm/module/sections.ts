/** Splits a module into its sections, in file order. */
import { CUSTOM, MODULE_HEAD, SECTION_NAMES, SECTION_ORDER } from './binary-format.js';
import { ByteReader, invalidModule } from './byte-stream.js';
import { DECLARATION_SECTION, MODULE_BYTES_MAX, SECTION_BYTES_MAX } from './abi.js';

/** A standard section: the position of its contents. */
export interface Section {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** A custom section: its name, and the position of the contents after the name. */
export interface CustomSection extends Section {
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

export function splitSections(bytes: Uint8Array): Sections {
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
export function sectionItems<Item>(sections: Sections, id: number, read: (reader: ByteReader) => Item): Item[] {
  const reader = sectionReader(sections, id);
  if (reader === undefined) return [];
  const items = reader.list(() => read(reader));
  reader.requireEnd();
  return items;
}
