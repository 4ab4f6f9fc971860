/** Lines over time out of a result: which, and with how many points. */
import type { FlowResult, SeriesResult, SimResult } from '../../sim/result.js';
import { isRunning } from '../../sim/results/fairness.js';

/** Values at times, equally many. */
export interface Line {
  readonly timesPs: readonly number[];
  readonly values: readonly number[];
}

/** Rates of the flows that are running, at each time. */
export interface RateEnvelope {
  readonly timesPs: readonly number[];
  readonly highestBps: readonly number[];
  readonly meanBps: readonly number[];
  readonly lowestBps: readonly number[];
}

/** The port with the longest queue of those whose series are kept; undefined where none is. */
export function longestQueuePort({ series, summary }: SimResult): string | undefined {
  if (summary.maxQueuePort in series.queueBytes) return summary.maxQueuePort;
  const peaks = Object.entries(queueSeries(series)).map(([name, values]) => ({ name, peak: peakOf(values) }));
  return peaks.reduce<(typeof peaks)[number] | undefined>(
    (best, port) => (best === undefined || port.peak > best.peak ? port : best),
    undefined,
  )?.name;
}

/** Queues over time: the most in each interval where that is kept, as a burst between two samples would be missed; else at each sample. */
export function queueSeries({ queueBytes, mostQueueBytes }: SeriesResult): SeriesResult['queueBytes'] {
  return mostQueueBytes ?? queueBytes;
}

/** Where the series begin: at the start of the first flow. */
export function seriesStartPs({ series }: SimResult): number {
  return (series.timesPs[0] ?? series.intervalPs) - series.intervalPs;
}

/** The largest value; 0 of none. */
export function peakOf(values: readonly number[]): number {
  return values.reduce((peak, value) => Math.max(peak, value), 0);
}

/** Highest, mean and lowest rate of the running flows whose rates are kept; times without any are left out. */
export function rateEnvelope({ series, flows }: SimResult): RateEnvelope {
  const kept = keptFlows(series, flows);
  const points = series.timesPs.flatMap((timePs, index) => {
    const rates = kept.filter(({ flow }) => isRunning(flow, timePs)).map(({ rates }) => rates[index] ?? 0);
    return rates.length === 0 ? [] : [{ timePs, rates }];
  });
  return {
    timesPs: points.map(({ timePs }) => timePs),
    highestBps: points.map(({ rates }) => rates.reduce((a, b) => Math.max(a, b), 0)),
    meanBps: points.map(({ rates }) => rates.reduce((a, b) => a + b, 0) / rates.length),
    lowestBps: points.map(({ rates }) => rates.reduce((a, b) => Math.min(a, b), Infinity)),
  };
}

interface KeptFlow {
  readonly flow: FlowResult;
  readonly rates: readonly number[];
}

/** Flows whose rates are kept, in order. */
export function keptFlows({ rateBps }: SeriesResult, flows: readonly FlowResult[]): KeptFlow[] {
  return flows.flatMap((flow) => {
    const rates = rateBps[flow.index];
    return rates === undefined ? [] : [{ flow, rates }];
  });
}

/**
 * At most `count` points: of each group of neighbours the one farthest from the group before, so that peaks stay what and
 * where they are.
 */
export function thinIndices(values: readonly number[], count: number): number[] {
  const all = values.map((_, index) => index);
  if (values.length <= count) return all;
  const groupLength = values.length / count;
  let last = values[0] ?? 0;
  return Array.from({ length: count }, (_, group) => {
    const members = all.slice(Math.floor(group * groupLength), Math.floor((group + 1) * groupLength));
    const chosen = members.reduce(
      (best, index) => (distance(values, index, last) > distance(values, best, last) ? index : best),
      members[0] ?? 0,
    );
    last = values[chosen] ?? last;
    return chosen;
  });
}

function distance(values: readonly number[], index: number, from: number): number {
  return Math.abs((values[index] ?? 0) - from);
}
