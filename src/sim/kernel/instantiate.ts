/** Turns the inlined bytes of sim.wasm into instances; the compiled module is kept. */
import { SIM_WASM_HEX } from './wasm-bytes.js';
import { bytesOfHex } from '../../engine/hex.js';
import type { SimAbi } from './sim-abi.js';

let compiled: WebAssembly.Module | undefined;

/** A fresh instance, at once. Browsers' main threads may refuse this: run simulations in a worker there. */
export function instantiateSim(): SimAbi {
  compiled ??= new WebAssembly.Module(bytesOfHex(SIM_WASM_HEX));
  return new WebAssembly.Instance(compiled, {}).exports as unknown as SimAbi;
}
