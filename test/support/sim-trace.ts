/** The build of the simulator that has a trace of rate changes. */
import { fileURLToPath } from 'node:url';

export const SIM_TRACE_FILE = fileURLToPath(new URL('../../build/sim-trace.wasm', import.meta.url));
