// dist/engine/instantiate.js with AssemblyScript's loader in it, so that the library has no dependencies.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './paths.mjs';

/** Bundles what tsc left in `distDir`; the library's own modules stay outside. @returns the files that went in. */
export async function buildLoader(distDir) {
  const entry = path.join(distDir, 'engine', 'instantiate.js');
  const { metafile, outputFiles } = await build({
    entryPoints: [entry],
    outfile: entry,
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    platform: 'neutral',
    format: 'esm',
    target: 'es2022',
    plugins: [libraryStaysOutside],
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  writeFileSync(entry, outputFiles[0].contents);
  return Object.keys(metafile.inputs);
}

const libraryStaysOutside = {
  name: 'library-stays-outside',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\.?\// }, (imported) => ({ path: imported.path, external: true }));
  },
};
