// build/sim-trace.wasm, which the lab loads when a reader asks why a rate changed: sim.wasm with a trace of rate changes
// (assembly/sim-trace.ts). Not in the package, so `npm run build` does not wait for it.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compileTarget } from '../build-wasm.mjs';
import { withLock } from '../lock.mjs';
import { at } from '../paths.mjs';

const CONFIG = 'asconfig.sim-trace.json';
const STAMP_FILE = at('build', 'sim-trace.stamp');
export const SIM_TRACE_FILE = at('build', 'sim-trace.wasm');

/** Compiles it, unless that was done for the present sources. */
export function ensureSimTrace() {
  return withLock(async () => {
    const fingerprint = fingerprintOf([at(CONFIG), ...filesUnder(at('assembly')), ...filesUnder(at('src', 'abi'))]);
    if (existsSync(SIM_TRACE_FILE) && existsSync(STAMP_FILE) && readFileSync(STAMP_FILE, 'utf8') === fingerprint)
      return;
    await compileTarget('release', CONFIG);
    writeFileSync(STAMP_FILE, fingerprint);
  });
}

function filesUnder(dir) {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function fingerprintOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}
