/** Makes engines: configuration checked, backend chosen, memory laid out. */
import type { Backend } from '../abi/backend.js';
import { Engine } from './engine.js';
import { engineConfig, type EngineConfig, type EngineOptions } from '../config/engine-config.js';
import { instantiate, instantiateSync } from './instantiate.js';
import { decodeSnapshot } from './snapshot.js';
import { WasmBackend } from './wasm-backend.js';
import { ReferenceBackend } from '../reference/backend/backend.js';

/**
 * An engine, with the module compiled off this thread where the host can do that.
 *
 * @param options what it shall hold and how it shall behave; only `parameterSets` has no default.
 * @throws RoceError `invalid-config` naming the bad value, `capacity` when the memory can't be had.
 * @example
 * const engine = await createEngine({ parameter sets: { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) } });
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const config = engineConfig(options);
  const backend = config.backend === 'js' ? new ReferenceBackend(config) : new WasmBackend(await instantiate());
  return new Engine(backend, config);
}

/** An engine, at once. @see createEngine */
export function createEngineSync(options: EngineOptions): Engine {
  const config = engineConfig(options);
  return new Engine(backendSync(config), config);
}

/**
 * A new engine that goes on where a snapshot was taken.
 *
 * @throws RoceError `snapshot-mismatch` when another build took it.
 */
export function restoreEngineSync(snapshot: Uint8Array): Engine {
  const { config } = decodeSnapshot(snapshot).header;
  const engine = new Engine(backendSync(config), config);
  engine.restore(snapshot);
  return engine;
}

function backendSync(config: EngineConfig): Backend {
  return config.backend === 'js' ? new ReferenceBackend(config) : new WasmBackend(instantiateSync());
}
