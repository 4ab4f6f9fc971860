/** Both backends, by name and as `createEngine` takes them, for tests that hold for either. */
import { referenceBackend } from '../../src/reference/index.js';
import type { EngineBackend } from '../../src/config/engine-config.js';

export type BackendOption = 'wasm' | EngineBackend;

export const BACKENDS: readonly (readonly [name: 'wasm' | 'js', backend: BackendOption])[] = [
  ['wasm', 'wasm'],
  ['js', referenceBackend],
];
