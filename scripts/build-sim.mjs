// dist/sim/index.js in one file, with zod in it, so that the library has no dependencies.
//
// The modules around dist/sim stay outside: RoceError and the engine are the same ones that the rest of the library has.

import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './paths.mjs';

/** Bundles what tsc left in `distDir`/sim; its declarations stay as they are. @returns the files that went in. */
export async function buildSim(distDir) {
  const simDir = path.join(distDir, 'sim');
  const entry = path.join(simDir, 'index.js');
  const { metafile, outputFiles } = await build({
    entryPoints: [entry],
    outfile: entry,
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    platform: 'neutral',
    format: 'esm',
    target: 'es2022',
    mainFields: ['module', 'main'],
    plugins: [libraryStaysOutside(simDir)],
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  removeModules(simDir);
  writeFileSync(entry, outputFiles[0].contents);
  return Object.keys(metafile.inputs);
}

/** What a module of dist/sim imports from beyond it, as dist/sim/index.js names it. */
function libraryStaysOutside(simDir) {
  return {
    name: 'library-stays-outside',
    setup(bundler) {
      bundler.onResolve({ filter: /^\.\.?\// }, ({ path: specifier, resolveDir }) => {
        const isSim = resolveDir === simDir || resolveDir.startsWith(simDir + path.sep);
        const fromSim = path.relative(simDir, path.resolve(resolveDir, specifier));
        return isSim && fromSim.startsWith('..') ?
          { path: fromSim.split(path.sep).join('/'), external: true } :
          undefined;
      });
    },
  };
}

/** They are in the bundle now, and would import zod where there is none. */
function removeModules(simDir) {
  for (const file of readdirSync(simDir, { recursive: true })) {
    if (file.endsWith('.js')) rmSync(path.join(simDir, file));
  }
}
