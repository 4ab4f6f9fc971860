// dist/engine/instantiate.js with AssemblyScript's loader in it.

import path from 'node:path';
import { bundleInPlace } from './bundle-in-place.mjs';

/** The library's own modules stay outside. @returns the files that went in. */
export function buildLoader(distDir) {
  return bundleInPlace(path.join(distDir, 'engine', 'instantiate.js'), ({ path: specifier }) => specifier);
}
