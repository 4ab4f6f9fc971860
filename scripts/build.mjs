// Builds all that the package holds, from the hot path up:
//
//   schemas of src/sim ─esbuild─► src/sim/scenario/spec.ts, src/sim/result-types.ts
//   assembly/ ─asc─► build/engine.wasm ─► src/engine/wasm-bytes.ts ─tsc─► dist/ ─esbuild─► dist/sim/index.js
//   AssemblyScript's loader ─esbuild─► dist/engine/instantiate.js      protobuf ─esbuild─► dist/workloads/chakra/protobuf.js
//   dist/index.js, dist/sim/index.js ─esbuild─► dist/browser/
//   src/cli/report/page/ and uPlot ─esbuild─► src/cli/report/page-assets.ts
//   src/cli/ and all that it uses ─esbuild─► dist/cli/
//   web/ ─vite─► dist/lab/; a change of web/ alone does not make a build stale, as `npm run lab` builds it separately
//
// With --if-stale it does nothing when a build of the present sources is there.

import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync,
  writeFileSync } from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { buildBrowser } from './build-browser.mjs';
import { buildCli } from './build-cli.mjs';
import { buildLab } from './build-lab.mjs';
import { buildLoader } from './build-loader.mjs';
import { buildProtobuf } from './build-protobuf.mjs';
import { buildReportPage } from './build-report-page.mjs';
import { buildSim } from './build-sim.mjs';
import { buildSchemaTypes } from './build-schema-types.mjs';
import { buildWasm } from './build-wasm.mjs';
import { sourceFingerprint, staleReason, writeStamp } from './fingerprint.mjs';
import { writeLicenses } from './licenses.mjs';
import { withLock } from './lock.mjs';
import { BUILD_DIR, DCQCN_WASM_FILE, DIST_DIR, NEXT_DIST_DIR, ROOT, SIM_TRACE_WASM_FILE, SIM_WASM_FILE, STAMP_FILE,
  UET_WASM_FILE, WASM_FILE, at } from './paths.mjs';
import { printSizes } from './sizes.mjs';

const onlyIfStale = process.argv.includes('--if-stale');

await withLock(async () => {
  if (onlyIfStale && staleReason() === undefined) return;
  try {
    await build();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
});

async function build() {
  const fingerprint = sourceFingerprint();
  mkdirSync(BUILD_DIR, { recursive: true });
  rmSync(STAMP_FILE, { force: true });
  rmSync(NEXT_DIST_DIR, { recursive: true, force: true });
  await buildSchemaTypes();
  await buildWasm();
  const inputs = await buildReportPage();
  compileTypeScript();
  copyFileSync(WASM_FILE, path.join(NEXT_DIST_DIR, 'engine.wasm'));
  copyFileSync(DCQCN_WASM_FILE, path.join(NEXT_DIST_DIR, 'engine-dcqcn.wasm'));
  copyFileSync(SIM_WASM_FILE, path.join(NEXT_DIST_DIR, 'sim.wasm'));
  copyFileSync(SIM_TRACE_WASM_FILE, path.join(NEXT_DIST_DIR, 'sim-trace.wasm'));
  copyFileSync(UET_WASM_FILE, path.join(NEXT_DIST_DIR, 'uet.wasm'));
  inputs.push(...await buildLoader(NEXT_DIST_DIR), ...await buildProtobuf(NEXT_DIST_DIR),
    ...await buildSim(NEXT_DIST_DIR), ...await buildCli(NEXT_DIST_DIR), ...await buildLab(NEXT_DIST_DIR));
  await buildBrowser(NEXT_DIST_DIR);
  writeLicenses(NEXT_DIST_DIR, inputs);
  putInPlace();
  writeStamp(fingerprint);
  await printSizes();
}

function compileTypeScript() {
  const args = [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json', '--outDir', NEXT_DIST_DIR];
  const done = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (done.status !== 0) throw new Error('tsc failed');
  for (const file of readdirSync(NEXT_DIST_DIR, { recursive: true })) {
    if (file.endsWith('.d.ts')) writeForOlderCompilers(path.join(NEXT_DIST_DIR, file));
  }
}

/** `Uint8Array<ArrayBufferLike>` is what `Uint8Array` means; before TypeScript 5.7 it has no parameter. */
function writeForOlderCompilers(file) {
  const text = readFileSync(file, 'utf8');
  const older = text.replaceAll('Array<ArrayBufferLike>', 'Array');
  if (older !== text) writeFileSync(file, older);
}

/** Swaps whole directories: a reader sees the old dist/ or the new one, and no file of a deleted source stays. */
function putInPlace() {
  const old = path.join(BUILD_DIR, 'dist-old');
  rmSync(old, { recursive: true, force: true });
  if (existsSync(DIST_DIR)) renameSync(DIST_DIR, old);
  renameSync(NEXT_DIST_DIR, DIST_DIR);
  rmSync(old, { recursive: true, force: true });
}
