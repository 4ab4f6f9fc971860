// src/cli/main.ts to dist/cli: main.js, which is executable, sweep-worker.js for worker threads, and their chunks.
//
// The parts of the library and of packages that the command line uses are bundled in, so that roce-cc has no dependencies
// and a command loads only its own chunks: each import() of src/cli is a chunk, and what several of them share are others.

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { nameChunks } from './chunk-names.mjs';
import { builtinsByImport } from './builtins-by-import.mjs';
import { loadedWithMain } from './loaded-with-main.mjs';
import { DIST_DIR, ROOT, at } from './paths.mjs';

const CLI_DIR = at('src', 'cli');
/** Entry points, by their names in dist/cli. */
const ENTRIES = { main: path.join(CLI_DIR, 'main.ts'), 'sweep-worker': path.join(CLI_DIR, 'sweep', 'worker.ts') };
/** Imports of main.ts. */
const ALWAYS_LOADED = [path.join(CLI_DIR, 'program.ts'), path.join(CLI_DIR, 'output.ts')];
/** External packages of the user, loaded on demand. */
const OPTIONAL_PEERS = ['bullmq', 'esbuild', 'ioredis', 'koffi'];
const EXECUTABLE = 0o755;

/** Bundles the CLI into `distDir`/cli. @returns the files that went into it. */
export async function buildCli(distDir) {
  const { metafile, outputFiles } = await build({
    entryPoints: ENTRIES,
    // Source maps name sources from there, wherever the files are written first.
    outdir: path.join(DIST_DIR, 'cli'),
    absWorkingDir: ROOT,
    bundle: true,
    splitting: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    plugins: [builtinsByImport, loadedWithMain(ALWAYS_LOADED)],
    external: OPTIONAL_PEERS,
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    // Those of ALWAYS_LOADED, on purpose.
    logOverride: { 'ignored-bare-import': 'silent' },
    metafile: true,
  });
  const outdir = path.join(distDir, 'cli');
  mkdirSync(outdir, { recursive: true });
  for (const { name, text } of nameChunks(outputFiles, metafile)) writeFileSync(path.join(outdir, name), text);
  chmodSync(path.join(outdir, 'main.js'), EXECUTABLE);
  return Object.keys(metafile.inputs);
}
