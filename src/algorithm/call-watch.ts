/**
 * Shows another thread which JavaScript handler is running: a thread whose handler never returns cannot report that
 * itself. Modules need no watch: their calls have a budget of loop iterations.
 */

/**
 * Shared numbers: calls so far, whether one is running, HANDLER_* (congestion-point handlers come after those of
 * algorithms), address of the QP's record, time in picoseconds.
 */
export const WATCH_CALLS = 0;
export const WATCH_RUNNING = 1;
export const WATCH_HANDLER = 2;
export const WATCH_RECORD = 3;
export const WATCH_TIME = 4;
export const WATCH_NUMBERS = 5;

let shared: Float64Array | undefined;

/** Handlers bound from now on record their calls in this array of WATCH_NUMBERS numbers; undefined turns that off. */
export function watchCalls(numbers: Float64Array | undefined): void {
  shared = numbers;
}

type Handler = (record: number, parameters: number, timePs: number, argument: number) => number;

/** Wraps a handler so that it records its calls, if calls are watched. */
export function watched(handler: Handler, number: number): Handler {
  const numbers = shared;
  if (numbers === undefined) return handler;
  return (record, parameters, timePs, argument) => {
    numbers[WATCH_HANDLER] = number;
    numbers[WATCH_RECORD] = record;
    numbers[WATCH_TIME] = timePs;
    numbers[WATCH_CALLS] += 1;
    numbers[WATCH_RUNNING] = 1;
    const result = handler(record, parameters, timePs, argument);
    numbers[WATCH_RUNNING] = 0;
    return result;
  };
}
