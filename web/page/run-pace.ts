/** When pictures follow a run in progress: a run that a slider has started is over before the first of them. */
import type { RunState } from './run-client.js';

/** A picture of a run that is nearly over would only delay that of its result. */
const FIRST_MS = 400;
/** Between two pictures: the reader sees the run grow, and the page stays free. */
const EVERY_MS = 120;

/** What is known of a client's run. */
export interface PacedRun {
  readonly state: { readonly value: RunState };
  /** When the run was requested, milliseconds since the page was opened. */
  readonly beganMs: number;
}

/** @param drawnMs when the last picture was drawn. @returns milliseconds until the next may be; 0: at once. */
export function redrawWaitMs(runs: readonly PacedRun[], drawnMs: number): number {
  const running = runs.filter(({ state }) => state.value === 'running');
  if (running.length === 0) return 0;
  const beganMs = Math.min(...running.map((run) => run.beganMs));
  return Math.max(0, Math.max(beganMs + FIRST_MS, drawnMs + EVERY_MS) - performance.now());
}
