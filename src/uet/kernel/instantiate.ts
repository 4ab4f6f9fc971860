/** Turns the inlined bytes of uet.wasm into instances; the compiled module is kept. */
import { instantiateSync } from '../../engine/instantiate.js';
import type { UetAbi } from './uet-abi.js';
import { UET_WASM_TEXT } from './wasm-bytes.js';

/** Creates an instance synchronously. Browsers' main threads may reject this: run it in a worker there. */
export function instantiateUet(): UetAbi {
  return instantiateSync(UET_WASM_TEXT) as unknown as UetAbi;
}
