// Modules that `npm run build` does not wait for: compiled when something needs them, once per state of the sources.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compileTarget } from './build-wasm.mjs';
import { withLock } from './lock.mjs';
import { at } from './paths.mjs';

/**
 * Compiles the release targets of these configurations of asc, unless that was done for the present sources.
 *
 * @param name of the stamp in build/.
 * @param configs by the absolute path of the module that each makes.
 */
export function ensureTargets(name, configs) {
  const stampFile = at('build', `${name}.stamp`);
  return withLock(async () => {
    const sources = [...filesUnder(at('assembly')), ...filesUnder(at('src', 'abi'))];
    const fingerprint = fingerprintOf([...Object.values(configs).map((config) => at(config)), ...sources]);
    const areThere = Object.keys(configs).every((file) => existsSync(file));
    if (areThere && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint) return;
    for (const config of Object.values(configs)) await compileTarget('release', config);
    writeFileSync(stampFile, fingerprint);
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
