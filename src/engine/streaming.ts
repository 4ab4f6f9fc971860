/**
 * For pages that host the engine themselves instead of loading the inlined copy: `roce-cc/engine.wasm` is the file, and
 * `roce-cc/engine-dcqcn.wasm` a smaller one with DCQCN only.
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
 * An engine whose module is compiled while it arrives.
 *
 * @param options as for `createEngine`; `backend` must not be `js`.
 * @param response of fetching either file, with media type application/wasm.
 * @throws RoceError as `createEngine`; `invalid-argument` for a response that is none of the two modules; opening a QP of another algorithm in the engine of DCQCN throws `unsupported`, and
 * so does `trace`, which that one has not.
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
      problem: 'is no module',
      cause,
    });
  }
  throw invalid('response', answer.url, 'engine.wasm or engine-dcqcn.wasm of this package');
}
