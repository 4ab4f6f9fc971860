/** Selects time series from a result, and reduces their points. */
import type { FlowResult, SeriesResult, SimResult } from '../../sim/result.js';
import { isRunning } from '../../sim/results/summary.js';

/** Times and values, of equal length. */
export interface Line {
  readonly timesPs: readonly number[];
  readonly values: readonly number[];
}

/** Rates of the running flows at each time. */
interface RateEnvelope {
  readonly timesPs: readonly number[];
  readonly highestBps: readonly number[];
  readonly meanBps: readonly number[];
  readonly lowestBps: readonly number[];
}

/** The port with the longest queue among those with a recorded series, or undefined. */
export function longestQueuePort({ series, summary }: SimResult): string | undefined {
  if (summary.maxQueuePort in series.queueBytes) return summary.maxQueuePort;
  const peaks = Object.entries(queueSeries(series)).map(([name, values]) => ({ name, peak: peakOf(values) }));
  return peaks.reduce<(typeof peaks)[number] | undefined>(
    (best, port) => (best === undefined || port.peak > best.peak ? port : best),
    undefined,
  )?.name;
}

/**
 * Queues over time: the maximum of each interval if recorded, since samples miss bursts between them; otherwise the
 * samples.
 */
export function queueSeries({ queueBytes, mostQueueBytes }: SeriesResult): SeriesResult['queueBytes'] {
  return mostQueueBytes ?? queueBytes;
}

/** Start of the series: the start of the first flow. */
export function seriesStartPs({ series }: SimResult): number {
  return (series.timesPs[0] ?? series.intervalPs) - series.intervalPs;
}

/** The largest value, or 0 if there is none. */
export function peakOf(values: readonly number[]): number {
  return values.reduce((peak, value) => Math.max(peak, value), 0);
}

/** Highest, mean and lowest allowed rate of the running flows with recorded rates; times without such flows are left out. */
export function rateEnvelope({ series, flows }: SimResult): RateEnvelope {
  const kept = keptFlows(series, flows);
  // A sample at a flow's start was taken before it had a rate.
  const points = series.timesPs.flatMap((timePs, index) => {
    const rates = kept.filter(({ flow }) => timePs > flow.startPs && isRunning(flow, timePs)).map(({ rates }) =>
      rates[index] ?? 0
    );
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

/** Flows with recorded rates, in order. */
export function keptFlows({ rateBps }: SeriesResult, flows: readonly FlowResult[]): KeptFlow[] {
  return flows.flatMap((flow) => {
    const rates = rateBps[flow.index];
    return rates === undefined ? [] : [{ flow, rates }];
  });
}

/**
 * Reduces a line to at most `count` points: from each group of neighbours it takes the one farthest from the previous group, which
 * preserves peaks.
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
