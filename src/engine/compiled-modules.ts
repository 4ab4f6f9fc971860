/** Compiles each inlined module once and caches it. */
import { bytesOfText } from './byte-text.js';

const compiled = new Map<string, WebAssembly.Module>();

/** Compiles synchronously. */
export function compiledModuleSync(text: string): WebAssembly.Module {
  return compiled.get(text) ?? kept(text, new WebAssembly.Module(bytesOfText(text)));
}

/** Compiles off the calling thread if the host supports it. */
export async function compiledModule(text: string): Promise<WebAssembly.Module> {
  return compiled.get(text) ?? kept(text, await WebAssembly.compile(bytesOfText(text)));
}

function kept(text: string, module: WebAssembly.Module): WebAssembly.Module {
  compiled.set(text, module);
  return module;
}
