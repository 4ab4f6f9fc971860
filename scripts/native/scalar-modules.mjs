// build/engine-scalar.wasm and build/sim-scalar.wasm: engine.wasm and sim.wasm without SIMD (assembly/memory/lanes.ts), equal to them
// to the bit. The native library is made of them.

import { ensureTargets } from '../ensure-targets.mjs';
import { at } from '../paths.mjs';

export const ENGINE_SCALAR_FILE = at('build', 'engine-scalar.wasm');
export const SIM_SCALAR_FILE = at('build', 'sim-scalar.wasm');

/** Compiles both, unless that was done for the present sources. */
export function ensureScalarModules() {
  return ensureTargets('scalar', {
    [ENGINE_SCALAR_FILE]: 'asconfig.scalar.json',
    [SIM_SCALAR_FILE]: 'asconfig.sim-scalar.json',
  });
}
