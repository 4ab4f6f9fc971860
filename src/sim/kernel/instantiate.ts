/** Creates instances of sim.wasm from its inlined bytes, which modules that only use memory do not load. */
import { instantiateSync } from '../../engine/instantiate.js';
import type { SimAbi } from './sim-abi.js';
import { SIM_WASM_TEXT } from './wasm-bytes.js';

/** Creates an instance; the compiled module is cached. Browsers' main threads may reject this: run simulations in a worker there. */
export function instantiateSim(): SimAbi {
  return instantiateSync(SIM_WASM_TEXT) as unknown as SimAbi;
}
