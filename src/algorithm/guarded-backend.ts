/** A backend with guarded calls, for engines with custom algorithms. */
import type { Backend } from '../abi/backend.js';
import { callFault, type BoundAlgorithms } from './bound.js';
import { guardCalls } from './guard-calls.js';

const NAMES = ['openQp', 'applyEvents', 'applyPackets', 'applyEvent', 'advance'] as const;

/** Guards a backend; loading a snapshot makes an engine usable again after a fault. */
export function guardedBackend(backend: Backend, custom: BoundAlgorithms): Backend {
  const { abi, forget } = guardCalls(backend.abi, NAMES, (error) => callFault(custom, error));
  return {
    abi,
    build: backend.build,
    save: () => backend.save(),
    load(state, parameterSets, endpoints) {
      const isLoaded = backend.load(state, parameterSets, endpoints);
      if (isLoaded) forget();
      return isLoaded;
    },
  };
}
