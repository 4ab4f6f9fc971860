/** Calls into a module with handlers of users: an exception becomes the error of the handler that caused it, and the last call. */
type Call = (...numbers: number[]) => number;

/**
 * The same exports, of which those with these names throw `algorithm-fault` when a handler fails, and from then on the same error: an
 * engine can't continue from a state that a handler has left halfway.
 *
 * @param faultOf the error of the handler that was running, for what was thrown; without one the same.
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
  /** After another state was loaded: calls work again. */
  readonly forget: () => void;
}
