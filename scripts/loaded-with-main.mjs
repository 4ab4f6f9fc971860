// Modules of the command line that are loaded on demand know that main.js has been loaded before them.
//
// esbuild gives sources a common chunk if the same entries need them. Each command needs another part of what main.js loads,
// which would so be in nine chunks. An import of all of it, of which nothing is used, adds no code to a command, and makes
// it one chunk.

import { readFileSync } from 'node:fs';
import path from 'node:path';

/** @param sources what main.js imports, as absolute paths. @returns a plugin of esbuild. */
export function loadedWithMain(sources) {
  const imports = sources.map((source) => `\nimport ${JSON.stringify(source)};`).join('');
  return {
    name: 'loaded-with-main',
    setup(bundler) {
      const onDemand = new Set();
      bundler.onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path: specifier, kind, resolveDir }) => {
        if (kind === 'dynamic-import') onDemand.add(path.resolve(resolveDir, specifier.replace(/\.js$/, '.ts')));
        return undefined;
      });
      bundler.onLoad({ filter: /\.ts$/ }, ({ path: file }) =>
        onDemand.has(file) ?
          { contents: readFileSync(file, 'utf8') + imports, loader: 'ts', resolveDir: path.dirname(file) } :
          undefined);
    },
  };
}
