/** Makes engines: configuration checked, backend chosen, memory laid out. */
import type { Backend } from '../abi/backend.js';
import { Engine } from './engine.js';
import { engineConfig, type EngineConfig, type EngineOptions } from '../config/engine-config.js';
import { instantiate, instantiateSync } from './instantiate.js';
import { decodeSnapshot } from './snapshot.js';
import { RoceError } from '../errors.js';
import { WasmBackend } from './wasm-backend.js';

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
  return new Engine(handedIn(options, config) ?? new WasmBackend(await instantiate()), config);
}

/** An engine, at once. @see createEngine */
export function createEngineSync(options: EngineOptions): Engine {
  const config = engineConfig(options);
  return new Engine(backendSync(options, config), config);
}

/**
 * A new engine that goes on where a snapshot was taken.
 *
 * @param options the backend that was handed in when the engine was made, if there was one.
 * @throws RoceError `snapshot-mismatch` when another build or backend took it.
 */
export function restoreEngineSync(snapshot: Uint8Array, options: BackendOption = {}): Engine {
  const { config } = decodeSnapshot(snapshot).header;
  const { backend = 'wasm' } = options;
  const name = backend === 'wasm' ? backend : backend.name;
  if (name !== config.backend) {
    const hint = 'Hand in the backend that the engine had: restoreEngineSync(snapshot, { backend })';
    const allowed = [config.backend];
    throw new RoceError('snapshot-mismatch', { what: 'the backend', got: name, allowed, hint, where: 'snapshot' });
  }
  const engine = new Engine(backendSync(options, config), config);
  engine.restore(snapshot);
  return engine;
}

type BackendOption = Pick<EngineOptions, 'backend'>;

function backendSync(options: BackendOption, config: EngineConfig): Backend {
  return handedIn(options, config) ?? new WasmBackend(instantiateSync());
}

function handedIn({ backend }: BackendOption, config: EngineConfig): Backend | undefined {
  return typeof backend === 'object' ? backend.create(config) : undefined;
}
