/** Completion times as a distribution: the share of all flows that were done by then. */
import type { Outcome } from '../../protocol/run-protocol.js';

export interface Cdf {
  readonly timesPs: Float64Array;
  readonly shares: Float64Array;
  readonly done: number;
  readonly flows: number;
}

/** Cached distributions: a chart does not redraw the same arrays. */
const made = new WeakMap<Outcome, Cdf>();

/** The distribution over all flows, so that the curve ends below 1 if some are not done. */
export function completionCdf(outcome: Outcome): Cdf {
  const known = made.get(outcome);
  if (known !== undefined) return known;
  const all = outcome.flows.completionPs;
  const done = all.filter((timePs) => !Number.isNaN(timePs)).sort();
  const timesPs = new Float64Array(done.length === 0 ? 0 : done.length + 1);
  const shares = new Float64Array(timesPs.length);
  timesPs.set(done.subarray(0, 1));
  timesPs.set(done, done.length === 0 ? 0 : 1);
  for (let index = 1; index < shares.length; index++) shares[index] = index / all.length;
  const cdf = { timesPs, shares, done: done.length, flows: all.length };
  made.set(outcome, cdf);
  return cdf;
}
