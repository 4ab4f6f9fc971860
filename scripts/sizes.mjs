// What users download: engine.wasm (all algorithms) or engine-dcqcn.wasm, and the default entry as a bundler would ship it.

import { statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { DCQCN_WASM_FILE, DIST_DIR, WASM_FILE } from './paths.mjs';

/** Prints one line each. */
export async function printSizes() {
  const entry = await bundledEntry();
  process.stdout.write(`engine-dcqcn.wasm: ${statSync(DCQCN_WASM_FILE).size} bytes\n`);
  process.stdout.write(`engine.wasm: ${statSync(WASM_FILE).size} bytes\n`);
  process.stdout.write(`default entry, minified: ${entry.length} bytes, gzip ${gzipSync(entry).length} bytes\n`);
}

async function bundledEntry() {
  const { outputFiles } = await build({
    entryPoints: [path.join(DIST_DIR, 'index.js')],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0].contents;
}
