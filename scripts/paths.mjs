// Absolute paths of this repository.

import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Absolute path of something named from the top of the repository. */
export const at = (...parts) => path.join(ROOT, ...parts);

export const BUILD_DIR = at('build');
export const DIST_DIR = at('dist');
/** The next dist/ grows here, and takes the place of the old one when it is whole. */
export const NEXT_DIST_DIR = at('build', 'dist-next');
export const WASM_FILE = at('build', 'engine.wasm');
/** The engine of DCQCN only, for applications that host the file and count its bytes. */
export const DCQCN_WASM_FILE = at('build', 'engine-dcqcn.wasm');
/** The simulator's kernel. */
export const SIM_WASM_FILE = at('build', 'sim.wasm');
/** The same with a trace of rate changes. */
export const SIM_TRACE_WASM_FILE = at('build', 'sim-trace.wasm');
/** The kernel of runs of uet-htsim. */
export const UET_WASM_FILE = at('build', 'uet.wasm');
export const UET_WASM_BYTES_FILE = at('src', 'uet', 'kernel', 'wasm-bytes.ts');
export const SIM_WASM_BYTES_FILE = at('src', 'sim', 'kernel', 'wasm-bytes.ts');
export const DCQCN_WASM_BYTES_FILE = at('src', 'engine', 'dcqcn-wasm-bytes.ts');
export const RESULT_TYPES_FILE = at('src', 'sim', 'result-types.ts');
export const SPEC_FILE = at('src', 'sim', 'scenario', 'spec.ts');
export const WASM_BYTES_FILE = at('src', 'engine', 'wasm-bytes.ts');
/** Script and style of the simulator's reports. */
export const PAGE_ASSETS_FILE = at('src', 'cli', 'report', 'page-assets.ts');
/** The kernel's classes of records. */
export const RECORDS_DIR = at('assembly', 'records');
export const STAMP_FILE = at('build', 'stamp');
