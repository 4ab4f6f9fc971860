// The WebAssembly modules and the sources with their bytes, without dist/: what tests and tsx need while assembly/ changes.

import { buildWasm } from './build-wasm.mjs';
import { withLock } from './lock.mjs';

await withLock(buildWasm);
