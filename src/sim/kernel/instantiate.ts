/** Turns the inlined bytes of sim.wasm into instances; the compiled module is kept. */
import { SIM_WASM_BASE64 } from './wasm-bytes.js';
import type { SimAbi } from './sim-abi.js';

let compiled: WebAssembly.Module | undefined;

/** A fresh instance, at once. Browsers' main threads may refuse this: run simulations in a worker there. */
export function instantiateSim(): SimAbi {
  compiled ??= new WebAssembly.Module(decodeBase64(SIM_WASM_BASE64));
  return new WebAssembly.Instance(compiled, {}).exports as unknown as SimAbi;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
