/** Decides when to redraw during a run. A short run, started by a slider, is over before the first redraw. */
import type { RunState } from './run-client.js';

/** Delay before the first redraw: drawing a run that is nearly over would only delay its result. */
const FIRST_MS = 400;
/** Interval between redraws: the user sees progress, and the page stays responsive. */
const EVERY_MS = 120;

/** State of a client's run. */
export interface PacedRun {
  readonly state: { readonly value: RunState };
  /** Time at which the run was requested, milliseconds since the page was opened. */
  readonly beganMs: number;
}

/** @param drawnMs time of the last redraw. @returns milliseconds until the next one is allowed; 0: now. */
export function redrawWaitMs(runs: readonly PacedRun[], drawnMs: number): number {
  const running = runs.filter(({ state }) => state.value === 'running');
  if (running.length === 0) return 0;
  const beganMs = Math.min(...running.map((run) => run.beganMs));
  return Math.max(0, Math.max(beganMs + FIRST_MS, drawnMs + EVERY_MS) - performance.now());
}
