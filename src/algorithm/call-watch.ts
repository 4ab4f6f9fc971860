/**
 * What handler in JavaScript is running, for another thread to see: a handler that never ends keeps its own thread from saying so.
 *
 * Modules need no watch: their calls have a budget of loop iterations.
 */

/** Numbers that are shared: calls so far, whether one is running, HANDLER_* (those of congestion points follow), address of the QP's record, time in picoseconds. */
export const WATCH_CALLS = 0;
export const WATCH_RUNNING = 1;
export const WATCH_HANDLER = 2;
export const WATCH_RECORD = 3;
export const WATCH_TIME = 4;
export const WATCH_NUMBERS = 5;

let shared: Float64Array | undefined;

/** From now on handlers that are bound note their calls in these WATCH_NUMBERS numbers; undefined: they note nothing. */
export function watchCalls(numbers: Float64Array | undefined): void {
  shared = numbers;
}

type Handler = (record: number, parameters: number, timePs: number, argument: number) => number;

/** The same handler, which notes its calls, if calls are watched. */
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
