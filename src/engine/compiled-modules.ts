/** Inlined modules, each compiled once. */
import { bytesOfText } from './byte-text.js';

const compiled = new Map<string, WebAssembly.Module>();

/** Compiled at once. */
export function compiledModuleSync(text: string): WebAssembly.Module {
  return compiled.get(text) ?? kept(text, new WebAssembly.Module(bytesOfText(text)));
}

/** Compiled off the calling thread where the host can do that. */
export async function compiledModule(text: string): Promise<WebAssembly.Module> {
  return compiled.get(text) ?? kept(text, await WebAssembly.compile(bytesOfText(text)));
}

function kept(text: string, module: WebAssembly.Module): WebAssembly.Module {
  compiled.set(text, module);
  return module;
}
