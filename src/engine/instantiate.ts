/**
 * Instantiates the inlined modules: no files, no URLs, no top-level await, so that every bundler and runtime can use
 * the package unchanged. The compiled module is cached; each engine gets a new instance.
 *
 * Uses AssemblyScript's loader, which scripts/build-loader.mjs copies into dist/. Its wrappers around exports, which
 * spread their arguments, are not used: the engine's exports take and return numbers.
 */
import * as loader from '@assemblyscript/loader';
import type { EngineAbi } from '../abi/engine-abi.js';
import { compiledModule, compiledModuleSync } from './compiled-modules.js';

/**
 * Instantiates synchronously. The main thread of a browser may reject this for modules over 4 KB: use the async form
 * there.
 */
export function instantiateSync(text: string): EngineAbi {
  return exportsOf(loader.instantiateSync(compiledModuleSync(text)));
}

/** Instantiates asynchronously; bytes are compiled off the calling thread if the host supports it. */
export async function instantiate(code: string | WebAssembly.Module): Promise<EngineAbi> {
  return exportsOf(await loader.instantiate(typeof code === 'string' ? await compiledModule(code) : code));
}

function exportsOf({ instance }: { readonly instance: WebAssembly.Instance }): EngineAbi {
  return instance.exports as unknown as EngineAbi;
}
