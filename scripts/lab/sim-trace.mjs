// build/sim-trace.wasm, which the lab loads when a reader asks why a rate changed: sim.wasm with a trace of rate changes
// (assembly/sim-trace.ts). Not in the package, so `npm run build` does not wait for it.

import { ensureTargets } from '../ensure-targets.mjs';
import { at } from '../paths.mjs';

export const SIM_TRACE_FILE = at('build', 'sim-trace.wasm');

/** Compiles it, unless that was done for the present sources. */
export function ensureSimTrace() {
  return ensureTargets('sim-trace', { [SIM_TRACE_FILE]: 'asconfig.sim-trace.json' });
}
