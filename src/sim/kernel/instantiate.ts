/** Creates instances of sim.wasm from its inlined bytes; the compiled module is cached. */
import { instantiateSync } from '../../engine/instantiate.js';
import { SIM_WASM_TEXT } from './wasm-bytes.js';
import type { SimAbi } from './sim-abi.js';

/** Creates an instance synchronously. Browsers' main threads may reject this: run simulations in a worker there. */
export function instantiateSim(): SimAbi {
  return instantiateSync(SIM_WASM_TEXT) as unknown as SimAbi;
}
