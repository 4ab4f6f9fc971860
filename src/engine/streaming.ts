/**
 * For pages that host the engine themselves instead of using the inlined copy: `roce-cc/engine.wasm`, or the smaller
 * `roce-cc/engine-dcqcn.wasm` with DCQCN only.
 *
 * @packageDocumentation
 */
import { Engine } from './engine.js';
import { engineConfig, type EngineOptions } from '../config/engine-config.js';
import { RoceError } from '../errors.js';
import { invalid } from './engine-errors.js';
import { instantiate } from './instantiate.js';
import { ALL_PARTS } from './parts.js';
import { WasmBackend } from './wasm-backend.js';

/**
 * Creates an engine whose module is compiled while it downloads.
 *
 * @param options as for `createEngine`; `backend` must not be `js`.
 * @param response from fetching either file, with media type application/wasm.
 * @throws RoceError as `createEngine`; `invalid-argument` if the response is neither of the two modules. The DCQCN-only
 * engine throws `unsupported` when a QP of another algorithm is opened, and for `trace`.
 */
export async function createEngineStreaming(options: EngineOptions,
  response: Response | Promise<Response>): Promise<Engine> {
  const config = engineConfig({ ...options, backend: 'wasm' });
  return new Engine(new WasmBackend(await instantiate(await compiled(response))), config, ALL_PARTS);
}

async function compiled(response: Response | Promise<Response>): Promise<WebAssembly.Module> {
  const answer: unknown = await response;
  if (!(answer instanceof Response)) throw invalid('response', answer, 'a Response');
  if (!answer.ok)
    throw invalid('response', answer.status, { min: 200, max: 299 }, { what: 'the status of the response' });
  try {
    const module = await WebAssembly.compileStreaming(answer);
    if (WebAssembly.Module.exports(module).some(({ name }) => name === 'applyEvents')) return module;
  } catch (cause) {
    throw new RoceError('invalid-argument', {
      where: 'response',
      what: 'the response',
      problem: 'is not a WebAssembly module',
      cause,
    });
  }
  throw invalid('response', answer.url, 'engine.wasm or engine-dcqcn.wasm of this package');
}
