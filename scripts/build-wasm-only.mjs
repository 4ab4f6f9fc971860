// What the build makes among the sources, without dist/: the types of scenarios and results, the WebAssembly modules and the sources with their bytes.
// Tests and tsx need no more while assembly/ or a schema changes.

import { buildSchemaTypes } from './build-schema-types.mjs';
import { buildWasm } from './build-wasm.mjs';
import { withLock } from './lock.mjs';

await withLock(async () => {
  await buildSchemaTypes();
  await buildWasm();
});
