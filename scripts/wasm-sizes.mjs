// What takes the space in engine.wasm, sim.wasm and uet.wasm: bytes of code by folder of assembly/, of the functions as they are compiled for
// release; inlined code counts where it is inlined. `node scripts/wasm-sizes.mjs`.
//
// Sources: WebAssembly Core Specification 2.0, sections 5.5 (modules) and 7.4.1 (names).

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { main as asc } from 'assemblyscript/asc';
import { ROOT } from './paths.mjs';

const MODULES = [
  ['engine.wasm', 'asconfig.json'],
  ['engine-dcqcn.wasm', 'asconfig.dcqcn.json'],
  ['sim.wasm', 'asconfig.sim.json'],
  ['uet.wasm', 'asconfig.uet.json'],
];
const CUSTOM = 0;
const IMPORT = 2;
const CODE = 10;
const FUNCTION_NAMES = 1;
const HEADER_BYTES = 8;
const WIDTH = 40;

/** Bytes of code by folder of its source, largest first, and in all. */
export async function modulesOf(config) {
  const modules = new Map();
  for (const { name, bytes } of await namedFunctions(config)) {
    const module = moduleOf(name);
    modules.set(module, (modules.get(module) ?? 0) + bytes);
  }
  return [...modules].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

/** The functions of a module by their index, with names and bytes of code. */
export async function namedFunctions(config) {
  const folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-wasm-'));
  try {
    const file = path.join(folder, 'named.wasm');
    // --debug adds names and leaves the code as it is.
    const args = ['--config', config, '--target', 'release', '--debug', '--outFile', file, '--baseDir', ROOT];
    const { error } = await asc(args);
    if (error) throw new Error(`asc failed: ${error.message}`);
    const sections = sectionsOf(new Reader(readFileSync(file), HEADER_BYTES));
    const names = namesOf(sections);
    const first = importsOf(sections);
    return functionSizes(sections).map((bytes, index) => ({
      index: first + index,
      name: names.get(first + index) ?? '',
      bytes,
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `assembly/simulator/lossy/irn/step` is in `simulator/lossy`; files at the top are modules themselves. */
function moduleOf(name) {
  const parts = name.replace(/^start:/, '').split('/');
  if (parts[0] !== 'assembly') return 'compiler (runtime, exports)';
  const folders = parts.slice(1, 3);
  return parts.length > 4 ? folders.join('/') : parts.length > 3 ? parts[1] : `${parts[1]}.ts`;
}

class Reader {
  constructor(bytes, at = 0, end = bytes.length) {
    Object.assign(this, { bytes, at, end });
  }

  get isDone() {
    return this.at >= this.end;
  }

  u32() {
    let value = 0;
    for (let shift = 0;; shift += 7) {
      const byte = this.bytes[this.at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  text() {
    const length = this.u32();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at).toString();
  }

  part(length) {
    this.at += length;
    return new Reader(this.bytes, this.at - length, this.at);
  }
}

function sectionsOf(reader) {
  const sections = [];
  while (!reader.isDone) {
    const id = reader.bytes[reader.at++];
    sections.push({ id, body: reader.part(reader.u32()) });
  }
  return sections;
}

function functionSizes(sections) {
  const { body } = sections.find(({ id }) => id === CODE);
  return Array.from({ length: body.u32() }, () => {
    const length = body.u32();
    body.part(length);
    return length;
  });
}

/** Functions that are imported come first in the numbering; the modules import functions only. */
function importsOf(sections) {
  return sections.find(({ id }) => id === IMPORT)?.body.u32() ?? 0;
}

function namesOf(sections) {
  const names = new Map();
  for (const { id, body } of sections) {
    if (id !== CUSTOM || body.text() !== 'name') continue;
    while (!body.isDone) {
      const kind = body.bytes[body.at++];
      const part = body.part(body.u32());
      if (kind !== FUNCTION_NAMES) continue;
      for (let left = part.u32(); left > 0; left--) names.set(part.u32(), part.text());
    }
  }
  return names;
}

/** The tables as text. */
export async function wasmRooms() {
  const lines = [];
  for (const [name, config] of MODULES) {
    const modules = await modulesOf(config);
    const all = modules.reduce((sum, [, bytes]) => sum + bytes, 0);
    lines.push(`${name}: ${all} bytes of code`);
    for (const [module, bytes] of modules) lines.push(`  ${module.padEnd(WIDTH)}${String(bytes).padStart(8)}`);
  }
  return lines.join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(`${await wasmRooms()}\n`);
