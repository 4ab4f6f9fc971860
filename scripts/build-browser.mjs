// dist/browser/roce-cc.js and dist/browser/roce-cc-sim.js: an entry each with all that it needs, for a script tag.
//
// Classic scripts that set one global name each, roceCc and roceCcSim. They load nothing, and need no eval but that of wasm.

import path from 'node:path';
import { build } from 'esbuild';

/** As reports, browsers of 2023 and later. */
const TARGET = ['es2022', 'chrome110', 'firefox110', 'safari16'];
const SCRIPTS = [
  { entry: 'index.js', file: 'roce-cc.js', globalName: 'roceCc' },
  { entry: path.join('sim', 'index.js'), file: 'roce-cc-sim.js', globalName: 'roceCcSim' },
];

/** Bundles what is in `distDir`. */
export async function buildBrowser(distDir) {
  for (const { entry, file, globalName } of SCRIPTS) {
    await build({
      entryPoints: [path.join(distDir, entry)],
      outfile: path.join(distDir, 'browser', file),
      bundle: true,
      minify: true,
      format: 'iife',
      globalName,
      target: TARGET,
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'warning',
    });
  }
}
