// What the build makes among the sources, without dist/: the types of scenarios, the WebAssembly modules and the sources with their bytes.
// Tests and tsx need no more while assembly/ or the schema changes.

import { buildSpec } from './build-spec.mjs';
import { buildWasm } from './build-wasm.mjs';
import { withLock } from './lock.mjs';

await withLock(async () => {
  await buildSpec();
  await buildWasm();
});
