/**
 * Guards calls into a module that runs user handlers: an exception becomes the error of the handler, and ends all
 * calls.
 */
import type { Backend } from '../abi/backend.js';
import { callFault, type BoundAlgorithms } from './bound.js';

const NAMES = ['openQp', 'applyEvents', 'applyPackets', 'applyEvent', 'advance'] as const;

type Call = (...numbers: number[]) => number;

/**
 * Wraps the named exports: when a handler fails, the call throws `algorithm-fault`, and so does every later call,
 * because an engine cannot continue from the state that a failed handler leaves.
 *
 * @param faultOf maps an exception to the error of the running handler, or to itself if none was running.
 */
export function guardCalls<Abi extends object>(abi: Abi, names: readonly (keyof Abi)[],
  faultOf: (error: Error) => Error): GuardedAbi<Abi> {
  let fault: Error | undefined;
  const guarded = { ...abi };
  for (const name of names) {
    const call = abi[name] as Call | undefined;
    if (call === undefined) continue;
    guarded[name] = ((...numbers: number[]) => {
      if (fault !== undefined) throw fault;
      try {
        return call(...numbers);
      } catch (error) {
        fault = faultOf(error as Error);
        throw fault;
      }
    }) as Abi[keyof Abi];
  }
  return {
    abi: guarded,
    forget: () => {
      fault = undefined;
    },
  };
}

export interface GuardedAbi<Abi> {
  readonly abi: Abi;
  /** Allows calls again, after another state was loaded. */
  readonly forget: () => void;
}

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
