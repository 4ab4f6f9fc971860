/** When pictures follow a run in progress: a run that a slider has started is over before the first of them. */
import type { RunClient } from './run-client.js';

/** A picture of a run that is nearly over would only delay that of its result. */
const FIRST_MS = 400;
/** Between two pictures: the reader sees the run grow, and the page stays free. */
const EVERY_MS = 120;

/** @param drawnMs when the last picture was drawn. @returns milliseconds until the next may be; 0: at once. */
export function redrawWaitMs(clients: readonly RunClient[], drawnMs: number): number {
  const running = clients.filter(({ state }) => state.value === 'running');
  if (running.length === 0) return 0;
  const beganMs = Math.min(...running.map((client) => client.beganMs));
  return Math.max(0, Math.max(beganMs + FIRST_MS, drawnMs + EVERY_MS) - performance.now());
}
