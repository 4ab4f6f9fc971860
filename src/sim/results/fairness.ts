/**
 * Fairness of rates, and the time from which they are fair.
 *
 *   Jain's index   J = (sum x)^2 / (n sum x^2), 1/n to 1; k/n if k of n flows share everything equally
 *   fair           every rate is within 10 % of the mean rate
 *
 * Source of the index: Jain, Chiu, Hawe, A Quantitative Measure of Fairness, DEC-TR-301, 1984.
 */
import { float64ArrayOf } from '../float64-array-of.js';
import type { FlowResult, SeriesResult } from '../result.js';

/** Rates count as fair up to this deviation from the mean, for at least FAIR_SAMPLES samples. */
const FAIR_DEVIATION = 0.1;
const FAIR_SAMPLES = 20;

/** Minimum number of flows for a comparison. */
const LEAST_FLOWS = 2;

/** Jain's fairness index. @returns 1 also for no rates and if all are 0, as no flow has more than another. */
export function jainIndex(rates: readonly number[]): number {
  let sum = 0;
  let squares = 0;
  for (const rate of rates) {
    sum += rate;
    squares += rate * rate;
  }
  return squares === 0 ? 1 : (sum * sum) / (rates.length * squares);
}

/** Whether every rate is within `deviation` of the mean, bounds included. */
export function isFair(rates: readonly number[], deviation = FAIR_DEVIATION): boolean {
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return rates.every((rate) => Math.abs(rate - mean) <= deviation * mean);
}

/** Whether the flow ran at this time: from its start on, up to but not including its end. */
export function isRunning({ startPs, completionPs }: Pick<FlowResult, 'startPs' | 'completionPs'>,
  timePs: number): boolean {
  return timePs >= startPs && (completionPs === null || timePs < startPs + completionPs);
}

/**
 * Time of the first sample, not before the last start, from which all running flows have fair rates for `FAIR_SAMPLES` samples,
 * with at least two flows running at each.
 *
 * Only flows whose rate the series has are considered (`record.flows` of the scenario).
 *
 * @returns null: never.
 */
export function findFairFromPs(flows: readonly FlowResult[], { timesPs, rateBps }: SeriesResult): number | null {
  const recorded = Object.keys(rateBps).flatMap((index) => flows[Number(index)] ?? []);
  const lastStartPs = recorded.reduce((last, { startPs }) => Math.max(last, startPs), 0);
  let since = -1;
  for (let sample = 0; sample < timesPs.length; sample++) {
    const timePs = timesPs[sample];
    const rates = recorded.filter((flow) => isRunning(flow, timePs)).map(({ index }) => rateBps[index][sample]);
    const counts = timePs >= lastStartPs && rates.length >= LEAST_FLOWS && isFair(rates);
    if (!counts) since = -1;
    else if (since < 0) since = sample;
    if (since >= 0 && sample - since + 1 >= FAIR_SAMPLES) return timesPs[since];
  }
  return null;
}

/** Mean of the series' index over the samples at which at least two flows ran; null if there is no such sample. */
export function findMeanFairness(flows: readonly FlowResult[], { timesPs, fairness }: SeriesResult): number | null {
  const running = countRunning(flows, timesPs);
  const counted = fairness.filter((_, sample) => running[sample] >= LEAST_FLOWS);
  return counted.length === 0 ? null : counted.reduce((sum, index) => sum + index, 0) / counted.length;
}

/**
 * Number of flows running at each sample, in one pass over starts and ends, as runs often have thousands of flows and samples.
 */
export function countRunning(flows: readonly FlowResult[], timesPs: readonly number[]): number[] {
  const starts = float64ArrayOf(flows, ({ startPs }) => startPs).sort();
  const ends = float64ArrayOf(flows, ({ startPs, completionPs }) => startPs + (completionPs ?? Infinity)).sort();
  let started = 0;
  let ended = 0;
  return timesPs.map((timePs) => {
    while (started < starts.length && starts[started] <= timePs) started++;
    while (ended < ends.length && ends[ended] <= timePs) ended++;
    return started - ended;
  });
}
