// The lab as the package brings it: static files in dist/lab, which `roce-cc lab` serves.

import path from 'node:path';
import { build } from 'vite';
import { at } from './paths.mjs';

const PACKAGES = 'node_modules/';

/** Builds the lab into `distDir`/lab. @returns the files that went into it, of packages alone. */
export async function buildLab(distDir) {
  const inputs = new Set();
  const collector = () => ({
    name: 'collect-packages',
    moduleParsed({ id }) {
      const from = id.indexOf(PACKAGES);
      if (from >= 0) inputs.add(id.slice(from).split('?')[0]);
    },
  });
  await build({
    configFile: at('web', 'vite.config.mjs'),
    logLevel: 'error',
    plugins: [collector()],
    worker: { plugins: () => [collector()] },
    build: { outDir: path.join(distDir, 'lab'), reportCompressedSize: false },
  });
  return [...inputs];
}
