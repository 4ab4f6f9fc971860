/** The part of a run in which something happens: charts show it until the reader asks for all of it. */
import type { RunData } from '../run-data.js';

/** A queue of less than this share of its peak is empty for the eye. */
const QUEUE_SHARE = 0.02;
/** Shown around the active part, as a share of it. */
const MARGIN = 0.1;
/** An active part of more than this share of the run is all of it. */
const MOST = 0.6;

export type SpanPs = readonly [fromPs: number, toPs: number];

/** From the first to the last sample at which a port's queue is filled, over all runs. @returns undefined: show all. */
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
