// dist/workloads/chakra/protobuf.js with protobuf's wire format in it.

import path from 'node:path';
import { bundleInPlace } from './bundle-in-place.mjs';

const PACKAGE = `${path.sep}node_modules${path.sep}`;

/** Only the package's own modules go in. @returns the files that went in. */
export function buildProtobuf(distDir) {
  return bundleInPlace(path.join(distDir, 'workloads', 'chakra', 'protobuf.js'),
    ({ path: specifier, resolveDir }) => (resolveDir.includes(PACKAGE) ? undefined : specifier));
}
