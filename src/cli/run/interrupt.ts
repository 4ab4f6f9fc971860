/** Ctrl-C while runs go on: the first one cancels, so that what is there can be shown; the second one ends the process. */

export interface Interrupt {
  readonly signal: AbortSignal;
  /** Gives Ctrl-C back its usual meaning. */
  readonly stop: () => void;
}

export function cancelOnInterrupt(): Interrupt {
  const controller = new AbortController();
  const cancel = (): void => {
    controller.abort();
  };
  process.once('SIGINT', cancel);
  return {
    signal: controller.signal,
    stop: () => {
      process.removeListener('SIGINT', cancel);
    },
  };
}
