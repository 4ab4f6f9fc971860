// Whether the build is newer than its sources, decided by content, so that a checkout or a touched file costs nothing.
//
// The stamp holds one hash over names and bytes of everything that goes into the build; a build is fresh when
// the stamp matches and what it made is still there.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DCQCN_WASM_BYTES_FILE, DCQCN_WASM_FILE, DIST_DIR, PAGE_ASSETS_FILE, RECORDS_DIR, RESULT_TYPES_FILE, ROOT,
  SIM_TRACE_WASM_FILE, SIM_WASM_BYTES_FILE, SIM_WASM_FILE, SPEC_FILE, STAMP_FILE, UET_WASM_BYTES_FILE, UET_WASM_FILE,
  WASM_BYTES_FILE, WASM_FILE, at } from './paths.mjs';

const SOURCE_DIRS = ['assembly', 'src'];
/** The build itself; what is in folders below does other work. */
const BUILD_SCRIPTS = 'scripts';
const SOURCE_FILES = [
  'asconfig.json',
  'asconfig.dcqcn.json',
  'asconfig.sim.json',
  'asconfig.sim-trace.json',
  'asconfig.uet.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/schema-types.ts',
];
/** Made by the build among the sources, so no source. */
const MADE = [
  WASM_BYTES_FILE,
  DCQCN_WASM_BYTES_FILE,
  SIM_WASM_BYTES_FILE,
  UET_WASM_BYTES_FILE,
  PAGE_ASSETS_FILE,
  SPEC_FILE,
  RESULT_TYPES_FILE,
];
const OUTPUTS = [
  ...MADE,
  RECORDS_DIR,
  WASM_FILE,
  DCQCN_WASM_FILE,
  SIM_WASM_FILE,
  SIM_TRACE_WASM_FILE,
  UET_WASM_FILE,
  path.join(DIST_DIR, 'engine.wasm'),
  path.join(DIST_DIR, 'sim.wasm'),
  path.join(DIST_DIR, 'sim-trace.wasm'),
  path.join(DIST_DIR, 'uet.wasm'),
];

/** Hash of every source, as hexadecimal digits. */
export function sourceFingerprint() {
  const hash = createHash('sha256');
  for (const file of sourceFiles()) {
    const bytes = readFileSync(file);
    hash.update(`${path.relative(ROOT, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** The reason for which a build is needed; undefined when it is not. */
export function staleReason() {
  const missing = OUTPUTS.find((file) => !existsSync(file));
  if (missing !== undefined) return `${path.relative(ROOT, missing)} is missing`;
  if (!existsSync(STAMP_FILE)) return 'no finished build';
  if (readFileSync(STAMP_FILE, 'utf8') !== sourceFingerprint()) return 'sources changed';
  return undefined;
}

/** Records that the build belongs to these sources: the fingerprint taken before it began. */
export function writeStamp(fingerprint) {
  writeFileSync(STAMP_FILE, fingerprint);
}

function sourceFiles() {
  const listed = SOURCE_FILES.map((name) => at(name)).filter((file) => existsSync(file));
  const build = readdirSync(at(BUILD_SCRIPTS)).filter((name) => name.endsWith('.mjs')).map((name) =>
    at(BUILD_SCRIPTS, name)
  );
  return [...SOURCE_DIRS.flatMap((dir) => filesUnder(at(dir))), ...build, ...listed].sort();
}

function filesUnder(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !MADE.includes(file) && path.dirname(file) !== RECORDS_DIR);
}
