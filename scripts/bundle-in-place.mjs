// A module that tsc left in dist/, with the packages that it imports in it, so that the library has no dependencies.

import { writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { ROOT } from './paths.mjs';

/**
 * Bundles a module over itself.
 *
 * @param keptOutside for an import by path: how the bundle names it, or undefined for one that goes in.
 * @param more options of esbuild.
 * @returns the files that went in.
 */
export async function bundleInPlace(entry, keptOutside, more = {}) {
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
    ...more,
    plugins: [libraryStaysOutside(keptOutside)],
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  writeFileSync(entry, outputFiles[0].contents);
  return Object.keys(metafile.inputs);
}

function libraryStaysOutside(keptOutside) {
  return {
    name: 'library-stays-outside',
    setup(bundler) {
      bundler.onResolve({ filter: /^\.\.?\// }, (imported) => {
        const kept = keptOutside(imported);
        return kept === undefined ? undefined : { path: kept, external: true };
      });
    },
  };
}
