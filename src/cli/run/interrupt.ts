/** Ctrl-C while runs go on: the first one cancels, so that what is there can be shown; the second one ends the process. */

export interface Interrupt {
  readonly signal: AbortSignal;
  /** From now on; before, while nothing can be shown or cancelled, Ctrl-C ends the process. */
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
    },
  };
}
