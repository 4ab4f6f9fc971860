/** Finds the part of a run in which something happens. Charts show only this until the user asks for the whole run. */
import type { RunData } from '../run-data.js';

/** A queue below this share of its peak counts as empty. */
const QUEUE_SHARE = 0.02;
/** Margin around the active part, as a share of it. */
const MARGIN = 0.1;
/** If the active part is more than this share of the run, the whole run is shown. */
const MOST = 0.6;

export type SpanPs = readonly [fromPs: number, toPs: number];

/**
 * Time from the first to the last sample at which the port's queue is not empty, over all runs.
 *
 * @returns undefined to show the whole run.
 */
export function activeSpan(runs: readonly { readonly data: RunData; readonly port: number }[]): SpanPs | undefined {
  let [fromPs, toPs, startPs, endPs] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { data, port } of runs) {
    const { timesPs } = data;
    const queue = data.queueOf(port);
    const least = QUEUE_SHARE * queue.reduce((most, bytes) => Math.max(most, bytes), 0);
    startPs = Math.min(startPs, data.facts.startPs);
    endPs = Math.max(endPs, data.lastPs);
    queue.forEach((bytes, row) => {
      if (bytes === 0 || bytes < least) return;
      fromPs = Math.min(fromPs, timesPs[row] ?? 0);
      toPs = Math.max(toPs, timesPs[row] ?? 0);
    });
  }
  if (!(toPs > fromPs)) return undefined;
  const margin = MARGIN * (toPs - fromPs);
  const span: SpanPs = [Math.max(startPs, fromPs - margin), Math.min(endPs, toPs + margin)];
  return span[1] - span[0] > MOST * (endPs - startPs) ? undefined : span;
}
