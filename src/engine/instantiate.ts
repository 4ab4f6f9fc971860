/**
 * Turns the inlined bytes of a module into instances: no files, no URLs, no top-level await, so that every bundler and
 * runtime takes it as it is. The compiled module is kept; an instance is made per engine.
 *
 * AssemblyScript's loader instantiates; scripts/build-loader.mjs puts it into dist/. Its wrappers around exports, which
 * spread their arguments, are left aside: the engine's exports take and return numbers.
 */
import * as loader from '@assemblyscript/loader';
import type { EngineAbi } from '../abi/engine-abi.js';
import { compiledModule, compiledModuleSync } from './compiled-modules.js';

/** A fresh instance, at once. Browsers' main threads may reject this for modules over 4 KB: use the async form there. */
export function instantiateSync(text: string): EngineAbi {
  return exportsOf(loader.instantiateSync(compiledModuleSync(text)));
}

/** A fresh instance; bytes are compiled off the calling thread where the host can do that. */
export async function instantiate(code: string | WebAssembly.Module): Promise<EngineAbi> {
  return exportsOf(await loader.instantiate(typeof code === 'string' ? await compiledModule(code) : code));
}

function exportsOf({ instance }: { readonly instance: WebAssembly.Instance }): EngineAbi {
  return instance.exports as unknown as EngineAbi;
}
