/** Calls into a module with custom algorithms: an exception becomes the error of the handler that caused it, and the last call. */
import { callFault, type BoundAlgorithms } from './bound.js';

type Call = (...numbers: number[]) => number;

/** How calls are guarded. */
export interface Guard {
  readonly custom: BoundAlgorithms;
  /** How errors name a QP. Default: by its number. */
  readonly nameOf?: (qp: number) => string;
}

/**
 * The same exports, of which those with these names throw `algorithm-fault` when a handler fails, and from then on the same error: an
 * engine can't continue from a state that a handler has left halfway.
 */
export function guardCalls<Abi extends object>(abi: Abi, names: readonly (keyof Abi)[], guard: Guard): GuardedAbi<Abi> {
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
        fault = callFault(guard.custom, error as Error, guard.nameOf);
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
  /** After another state was loaded: calls work again. */
  readonly forget: () => void;
}
