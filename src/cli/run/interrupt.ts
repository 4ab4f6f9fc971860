/**
 * Ctrl-C during runs: the first one cancels, so the results so far can be shown; the second one ends the process.
 *
 * While scenarios are checked and compiled, and while a run is set up with nothing of those before it left to show,
 * Ctrl-C has its usual meaning: the process ends by SIGINT, for shells with 130.
 */

export interface Interrupt {
  readonly signal: AbortSignal;
  /** From now on. */
  readonly start: () => void;
  /** Gives Ctrl-C back its usual meaning. */
  readonly stop: () => void;
}

export function cancelOnInterrupt(): Interrupt {
  const controller = new AbortController();
  const cancel = (): void => {
    controller.abort();
  };
  let isStarted = false;
  return {
    signal: controller.signal,
    start: () => {
      if (!isStarted) process.once('SIGINT', cancel);
      isStarted = true;
    },
    stop: () => {
      process.removeListener('SIGINT', cancel);
      isStarted = false;
    },
  };
}
