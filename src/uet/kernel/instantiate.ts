/** Instantiates the inlined uet.wasm; the compiled module is cached. */
import { instantiateSync } from '../../engine/instantiate.js';
import type { UetAbi } from './uet-abi.js';
import { UET_WASM_TEXT } from './wasm-bytes.js';

/** Creates an instance synchronously. In browsers, call it in a worker: the main thread may not allow it. */
export function instantiateUet(): UetAbi {
  return instantiateSync(UET_WASM_TEXT) as unknown as UetAbi;
}
