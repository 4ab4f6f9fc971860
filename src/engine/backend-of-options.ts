/** Chooses the backend of an engine: the one that was passed, or an inlined module. */
import type { Backend, EngineAbi } from '../abi/engine-abi.js';
import { checkConfig, type EngineConfig, type EngineOptions } from '../config/engine-config.js';
import { RoceError } from '../errors.js';
import { Engine } from './engine.js';
import type { EngineParts } from './parts.js';
import { decodeSnapshot } from './snapshot.js';
import { WasmBackend } from './wasm-backend.js';

export type BackendOption = Pick<EngineOptions, 'algorithms' | 'backend'>;

/** @param instantiate creates the module if no backend was passed. */
export function backendSync(options: BackendOption, config: EngineConfig, instantiate: () => EngineAbi): Backend {
  return handedIn(options, config) ?? new WasmBackend(instantiate());
}

export function handedIn(options: BackendOption | null, config: EngineConfig): Backend | undefined {
  const backend: BackendOption['backend'] | null = options?.backend;
  return typeof backend === 'object' ? backend?.create(config) : undefined;
}

function configOf(snapshot: Uint8Array, { algorithms: custom }: BackendOption,
  { algorithms, checkTelemetry }: EngineParts): EngineConfig {
  try {
    return checkConfig(decodeSnapshot(snapshot).header.config, algorithms, checkTelemetry, custom);
  } catch (error) {
    const isOfConfig = error instanceof RoceError && error.code === 'invalid-config';
    throw isOfConfig ? error.at(`snapshot, ${error.where}`, 'snapshot-mismatch') : error;
  }
}

/** Creates an engine that resumes from a snapshot. */
export function restoreWith(snapshot: Uint8Array, options: BackendOption, parts: EngineParts,
  instantiate: () => EngineAbi): Engine {
  const config = configOf(snapshot, options ?? {}, parts);
  const backend = (options as BackendOption | null)?.backend ?? 'wasm';
  const name = backend === 'wasm' ? backend : backend.name;
  if (name !== config.backend) {
    const hint = 'Pass the backend that the engine had: restoreEngineSync(snapshot, { backend })';
    const allowed = [config.backend];
    throw new RoceError('snapshot-mismatch', { what: 'the backend', got: name, allowed, hint, where: 'snapshot' });
  }
  const engine = new Engine(backendSync(options, config, instantiate), config, parts);
  engine.restore(snapshot);
  return engine;
}
