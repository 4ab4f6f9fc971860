// dist/browser/: an entry each with all that it needs, in one file.
//
// roce-cc.js and roce-cc-sim.js are classic scripts for a script tag, which set one global name each, roceCc and roceCcSim.
// roce-cc.mjs and roce-cc-sim.mjs are modules; the second has the exports of both entries, so that a page that uses both loads
// one file, and there is one RoceError. They load nothing, and need no eval but that of wasm.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { PAGE_BUNDLE } from './page-bundle.mjs';

const SCRIPTS = [
  { entries: ['index.js'], file: 'roce-cc.js', globalName: 'roceCc' },
  { entries: ['sim/index.js'], file: 'roce-cc-sim.js', globalName: 'roceCcSim' },
];
const MODULES = [
  { entries: ['index.js'], file: 'roce-cc.mjs' },
  { entries: ['index.js', 'sim/index.js'], file: 'roce-cc-sim.mjs' },
];

/** Bundles what is in `distDir`. */
export async function buildBrowser(distDir) {
  for (const { entries, file, globalName } of SCRIPTS) {
    await bundle(distDir, entries, file, { format: 'iife', globalName });
  }
  for (const { entries, file } of MODULES) {
    await bundle(distDir, entries, file, { format: 'esm' });
    const types = path.join(distDir, 'browser', file.replace(/mjs$/, 'd.mts'));
    writeFileSync(types, exportsOf(entries.map((entry) => `../${entry}`)));
  }
}

async function bundle(distDir, entries, file, options) {
  await build({
    stdin: { contents: exportsOf(entries.map((entry) => `./${entry}`)), resolveDir: distDir },
    outfile: path.join(distDir, 'browser', file),
    ...PAGE_BUNDLE,
    ...options,
  });
}

/** A module with the exports of others. */
function exportsOf(modules) {
  return modules.map((module) => `export * from '${module}';\n`).join('');
}
