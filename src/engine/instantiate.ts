/**
 * Turns the inlined bytes of a module into instances: no files, no URLs, no top-level await, so that every bundler and
 * runtime takes it as it is. The compiled module is kept; an instance is made per engine.
 */
import type { EngineAbi } from '../abi/engine-abi.js';
import { bytesOfHex } from './hex.js';

/** Compiled modules by their bytes in hexadecimal. */
const compiled = new Map<string, WebAssembly.Module>();

/** A fresh instance, at once. Browsers' main threads may refuse this for modules over 4 KB: use the async form there. */
export function instantiateSync(hex: string): EngineAbi {
  const module = compiled.get(hex) ?? new WebAssembly.Module(bytesOfHex(hex));
  compiled.set(hex, module);
  return exportsOf(new WebAssembly.Instance(module, {}));
}

/** A fresh instance; bytes are compiled off the calling thread where the host can do that. */
export async function instantiate(code: string | WebAssembly.Module): Promise<EngineAbi> {
  if (typeof code !== 'string') return exportsOf(await WebAssembly.instantiate(code, {}));
  const module = compiled.get(code) ?? (await WebAssembly.compile(bytesOfHex(code)));
  compiled.set(code, module);
  return exportsOf(await WebAssembly.instantiate(module, {}));
}

function exportsOf(instance: WebAssembly.Instance): EngineAbi {
  return instance.exports as unknown as EngineAbi;
}
