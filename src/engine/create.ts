/** Makes engines: configuration checked, backend chosen, memory laid out. */
import type { EngineAbi } from '../abi/engine-abi.js';
import { engineConfig, type EngineOptions } from '../config/engine-config.js';
import { backendSync, handedIn, restoreWith, type BackendOption } from './backend-of-options.js';
import { Engine } from './engine.js';
import { instantiate, instantiateSync } from './instantiate.js';
import { ALL_PARTS } from './parts.js';
import { WasmBackend } from './wasm-backend.js';
import { ENGINE_WASM_TEXT } from './wasm-bytes.js';

const inlined = (): EngineAbi => instantiateSync(ENGINE_WASM_TEXT);

/**
 * An engine, with the module compiled off this thread where the host can do that.
 *
 * @param options what it shall hold and how it shall behave; only `parameterSets` has no default.
 * @throws RoceError `invalid-config` naming the bad value, `capacity` when the memory can't be had.
 * @example
 * const engine = await createEngine({ parameterSets: { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) } });
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const config = engineConfig(options);
  return new Engine(handedIn(options, config) ?? new WasmBackend(await instantiate(ENGINE_WASM_TEXT)), config,
    ALL_PARTS);
}

/** An engine, at once. @see createEngine */
export function createEngineSync(options: EngineOptions): Engine {
  const config = engineConfig(options);
  return new Engine(backendSync(options, config, inlined), config, ALL_PARTS);
}

/**
 * A new engine that resumes from a snapshot.
 *
 * @param options the backend that was passed when the engine was made, if there was one.
 * @throws RoceError `snapshot-mismatch` when another build or backend took it.
 */
export function restoreEngineSync(snapshot: Uint8Array, options: BackendOption = {}): Engine {
  return restoreWith(snapshot, options, ALL_PARTS, inlined);
}
