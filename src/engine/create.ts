/** Creates engines: validates the configuration, chooses the backend, lays out memory. */
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
 * Creates an engine; the module is compiled off this thread if the host supports it.
 *
 * @param options contents and behaviour; only `parameterSets` has no default.
 * @throws RoceError `invalid-config` naming the bad value, `capacity` if memory cannot be allocated.
 * @example
 * const engine = await createEngine({ parameterSets: { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) } });
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const config = engineConfig(options);
  return new Engine(handedIn(options, config) ?? new WasmBackend(await instantiate(ENGINE_WASM_TEXT)), config,
    ALL_PARTS);
}

/** Creates an engine synchronously. @see createEngine */
export function createEngineSync(options: EngineOptions): Engine {
  const config = engineConfig(options);
  return new Engine(backendSync(options, config, inlined), config, ALL_PARTS);
}

/**
 * Creates an engine that resumes from a snapshot.
 *
 * @param options the backend that the original engine was created with, if any.
 * @throws RoceError `snapshot-mismatch` if another build or backend wrote it.
 */
export function restoreEngineSync(snapshot: Uint8Array, options: BackendOption = {}): Engine {
  return restoreWith(snapshot, options, ALL_PARTS, inlined);
}
