/**
 * Turns the inlined bytes of engine.wasm into instances: no files, no URLs, no top-level await, so that every bundler
 * and runtime takes it as it is. The compiled module is kept; an instance is made per engine.
 */
import type { EngineAbi } from '../abi/engine-abi.js';
import { ENGINE_WASM_BASE64 } from './wasm-bytes.js';

let compiled: WebAssembly.Module | undefined;

/** A fresh instance, at once. Browsers' main threads may refuse this for modules over 4 KB: use the async form there. */
export function instantiateSync(): EngineAbi {
  compiled ??= new WebAssembly.Module(decodeBase64(ENGINE_WASM_BASE64));
  return exportsOf(new WebAssembly.Instance(compiled, {}));
}

/** A fresh instance, of another module if one is given; compiled off the calling thread where the host can do that. */
export async function instantiate(module?: WebAssembly.Module): Promise<EngineAbi> {
  if (module) return exportsOf(await WebAssembly.instantiate(module, {}));
  compiled ??= await WebAssembly.compile(decodeBase64(ENGINE_WASM_BASE64));
  return exportsOf(await WebAssembly.instantiate(compiled, {}));
}

function exportsOf(instance: WebAssembly.Instance): EngineAbi {
  return instance.exports as unknown as EngineAbi;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
