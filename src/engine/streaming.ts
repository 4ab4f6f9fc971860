/**
 * For pages that host the engine themselves instead of loading the inlined copy: `roce-cc/engine.wasm` is the file, and
 * `roce-cc/engine-dcqcn.wasm` a smaller one with DCQCN alone.
 */
import { Engine } from './engine.js';
import { engineConfig, type EngineOptions } from '../config/engine-config.js';
import { instantiate } from './instantiate.js';
import { ALL_PARTS } from './parts.js';
import { WasmBackend } from './wasm-backend.js';

/**
 * An engine whose module is compiled while it arrives.
 *
 * @param options as for `createEngine`; `backend` must not be `js`.
 * @param response of fetching either file, with media type application/wasm.
 * @throws RoceError as `createEngine`; opening a QP of another algorithm in the engine of DCQCN throws `unsupported`, and
 * so does `trace`, which that one has not.
 */
export async function createEngineStreaming(options: EngineOptions,
  response: Response | Promise<Response>): Promise<Engine> {
  const config = engineConfig({ ...options, backend: 'wasm' });
  const module = await WebAssembly.compileStreaming(response);
  return new Engine(new WasmBackend(await instantiate(module)), config, ALL_PARTS);
}
