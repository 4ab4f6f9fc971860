/**
 * Instantiates the inlined modules: no files, no URLs, no top-level await, so that every bundler and runtime can use
 * the package unchanged. The compiled module is cached; each engine gets a new instance.
 *
 * Uses AssemblyScript's loader, which scripts/build-loader.mjs copies into dist/. Its wrappers around exports, which
 * spread their arguments, are not used: the engine's exports take and return numbers.
 *
 * Modules are inlined as printable text, close to one character per byte, which compresses better than hexadecimal or
 * base64. The 84 most frequent bytes take one character each; two prefix characters select the other 172 in groups of
 * 86. The text begins with all 256 byte values, most frequent first, in hexadecimal. scripts/byte-text.mjs writes it.
 */
import * as loader from '@assemblyscript/loader';
import type { EngineAbi } from '../abi/engine-abi.js';

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

/** The alphabet: 87 characters starting at `(`, without the backslash. */
const FIRST = 40;
const BACKSLASH = 92;
/** Number of bytes with a single character; size of the alphabet. */
const SINGLES = 84;
const CHARACTERS = 86;
const ORDER_DIGITS = 512;

export function bytesOfText(text: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (let at = ORDER_DIGITS; at < text.length; at++) {
    const lead = digitAt(text, at);
    const rank = lead < SINGLES ? lead : lead * CHARACTERS - SINGLES * (CHARACTERS - 1) + digitAt(text, ++at);
    bytes.push(Number.parseInt(text.slice(2 * rank, 2 * rank + 2), 16));
  }
  return Uint8Array.from(bytes);
}

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code - FIRST - Number(code > BACKSLASH);
}
