/**
 * Handles Ctrl-C during runs: the first one cancels, so that the results so far can be shown; the second one ends the
 * process.
 *
 * While scenarios are validated and compiled, and while a run is set up with no earlier results left to show, Ctrl-C
 * has its usual meaning: SIGINT ends the process, which shells report as 130.
 */

interface Interrupt {
  readonly signal: AbortSignal;
  /** Makes the first Ctrl-C cancel from now on. */
  readonly start: () => void;
  /** Restores the usual meaning of Ctrl-C. */
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
