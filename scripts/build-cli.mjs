// src/cli/main.ts to one executable file, and src/cli/sweep/worker.ts to one for worker threads.
//
// The packages that the CLI uses are bundled in, so that roce-cc has no dependencies at all; the library itself is
// not, the CLI imports the modules beside it in dist/.

import { chmodSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { ROOT, at } from './paths.mjs';

const CLI_DIR = at('src', 'cli');
/** Sources of what is built, by the names in dist/cli. */
const ENTRIES = { main: path.join(CLI_DIR, 'main.ts'), 'sweep-worker': path.join(CLI_DIR, 'sweep', 'worker.ts') };
/** Loaded from where the user has them, and only when they are asked for. */
const OPTIONAL_PEERS = ['bullmq', 'ioredis', 'koffi'];
const EXECUTABLE = 0o755;

// Bundled CommonJS packages call require('events') and the like, which ES modules do not have.
const BANNER = `#!/usr/bin/env node
import { createRequire as nodeCreateRequire } from 'node:module';
const require = nodeCreateRequire(import.meta.url);`;

/** Bundles the CLI into `distDir`/cli. @returns the files that went into it. */
export async function buildCli(distDir) {
  const outdir = path.join(distDir, 'cli');
  const { metafile } = await build({
    entryPoints: ENTRIES,
    outdir,
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: BANNER },
    plugins: [libraryStaysOutside],
    external: OPTIONAL_PEERS,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  chmodSync(path.join(outdir, 'main.js'), EXECUTABLE);
  return Object.keys(metafile.inputs);
}

// src/cli and dist/cli stand equally deep, so '../index.js' names the library from either.
const libraryStaysOutside = {
  name: 'library-stays-outside',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\.?\// }, ({ path: specifier, resolveDir }) => {
      const fromCli = path.relative(CLI_DIR, path.resolve(resolveDir, specifier));
      const isLibrary = isInside(resolveDir, CLI_DIR) && fromCli.startsWith('..');
      return isLibrary ? { path: fromCli.split(path.sep).join('/'), external: true } : undefined;
    });
  },
};

function isInside(file, dir) {
  return file === dir || file.startsWith(dir + path.sep);
}
