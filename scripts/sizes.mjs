// What users download: engine.wasm (all algorithms) or engine-dcqcn.wasm, sim.wasm, uet.wasm, and the entries as a bundler would ship them.

import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { DCQCN_WASM_FILE, DIST_DIR, SIM_WASM_FILE, UET_WASM_FILE, WASM_FILE } from './paths.mjs';

const ENTRIES = [
  ['default entry', 'index.js'],
  ['roce-cc/dcqcn', 'dcqcn.js'],
  ['roce-cc/reference', path.join('reference', 'index.js')],
  ['roce-cc/sim', path.join('sim', 'index.js')],
];
const PAGE_FILES = ['roce-cc.js', 'roce-cc.mjs', 'roce-cc-sim.js', 'roce-cc-sim.mjs'];

/** Prints one line each. */
export async function printSizes() {
  process.stdout.write(`engine-dcqcn.wasm: ${statSync(DCQCN_WASM_FILE).size} bytes\n`);
  process.stdout.write(`engine.wasm: ${statSync(WASM_FILE).size} bytes\n`);
  process.stdout.write(`sim.wasm: ${statSync(SIM_WASM_FILE).size} bytes\n`);
  process.stdout.write(`uet.wasm: ${statSync(UET_WASM_FILE).size} bytes\n`);
  for (const [name, file] of ENTRIES) {
    const { minified, compressed } = await entrySize(path.join(DIST_DIR, file));
    process.stdout.write(`${name}, minified: ${minified} bytes, gzip ${compressed} bytes\n`);
  }
  for (const file of PAGE_FILES) {
    const { minified, compressed } = fileSize(path.join(DIST_DIR, 'browser', file));
    process.stdout.write(`browser/${file}: ${minified} bytes, gzip ${compressed} bytes\n`);
  }
}

/** Bytes of a file for pages, and the same compressed by gzip. */
function fileSize(file) {
  const contents = readFileSync(file);
  return { minified: contents.length, compressed: gzipSync(contents).length };
}

/** Bytes of all that a bundle of an entry holds, minified, and the same compressed by gzip. */
export async function entrySize(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'warning',
  });
  const { contents } = outputFiles[0];
  return { minified: contents.length, compressed: gzipSync(contents).length };
}
