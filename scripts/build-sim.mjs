// dist/sim/index.js in one file, with zod in it.
//
// The modules around dist/sim stay outside: RoceError and the engine are the same ones that the rest of the library has.

import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { bundleInPlace } from './bundle-in-place.mjs';
import { at } from './paths.mjs';

/** Bundles what tsc left in `distDir`/sim; its declarations stay as they are. @returns the files that went in. */
export async function buildSim(distDir) {
  const simDir = path.join(distDir, 'sim');
  const entry = path.join(simDir, 'index.js');
  const inputs = await bundleInPlace(entry, (imported) => fromBeyond(simDir, imported), {
    define: { 'globalThis.__zod_globalConfig': 'zodSettings' },
    inject: [at('scripts', 'no-eval.mjs')],
  });
  removeModules(simDir, entry);
  return inputs;
}

/** What a module of dist/sim imports from beyond it, as dist/sim/index.js names it. */
function fromBeyond(simDir, { path: specifier, resolveDir }) {
  const isSim = resolveDir === simDir || resolveDir.startsWith(simDir + path.sep);
  const fromSim = path.relative(simDir, path.resolve(resolveDir, specifier));
  return isSim && fromSim.startsWith('..') ? fromSim.split(path.sep).join('/') : undefined;
}

/** They are in the bundle now, and would import zod where there is none. */
function removeModules(simDir, entry) {
  for (const file of readdirSync(simDir, { recursive: true })) {
    const module = path.join(simDir, file);
    if (file.endsWith('.js') && module !== entry) rmSync(module);
  }
}
