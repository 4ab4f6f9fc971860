/** Stops a live command on SIGINT or SIGTERM, or after a time. A second signal ends the process at once. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const MS_PER_SECOND = 1000;

/** The signal that live commands watch; `dispose` removes its listeners and timer. */
export interface Stop {
  readonly signal: AbortSignal;
  dispose(): void;
}

/** @param seconds time until it stops automatically; undefined: never. */
export function stopOn(seconds: number | undefined): Stop {
  const abort = new AbortController();
  const end = (): void => {
    abort.abort();
  };
  for (const name of SIGNALS) process.once(name, end);
  const timer = seconds === undefined ? undefined : setTimeout(end, seconds * MS_PER_SECOND);
  return {
    signal: abort.signal,
    dispose() {
      clearTimeout(timer);
      for (const name of SIGNALS) process.removeListener(name, end);
    },
  };
}
