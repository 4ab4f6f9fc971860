/**
 * The figures for comparing runs, from flows, ports and series.
 */
import { BITS_PER_BYTE, PS_PER_SECOND } from '../../unit-sizes.js';
import { summariseOrder } from './feature-results.js';
import { float64ArrayOf } from '../float64-array-of.js';
import type { FlowResult, MessageSums, PortResult, SeriesResult, Summary, EqualPathsResult,
  Percentiles } from '../result.js';
import { findFairFromPs, findMeanFairness } from './fairness.js';

/** The inputs of a summary. */
export interface SummaryInput {
  readonly flows: readonly FlowResult[];
  /** Messages without separate results: their sums by job, and their number. */
  readonly messages?: { readonly sums: readonly MessageSums[]; readonly count: number };
  /** Number of flows and messages without an end. */
  readonly endless?: number;
  readonly ports: readonly PortResult[];
  readonly series: SeriesResult;
  /** Results of equal paths. */
  readonly equalPaths?: readonly EqualPathsResult[] | undefined;
  /** Time from the start of the first flow to the end of the run. */
  readonly activePs: number;
}

/**
 * Summarizes a run. Completion and slowdown cover completed flows. The port is the first one with the longest queue. Goodput
 * covers all flows from the first start to the end; 0 if no time passed.
 */
export function summarise(
  { flows, messages = { sums: [], count: 0 }, endless = 0, ports, series, equalPaths, activePs }: SummaryInput,
): Summary {
  const done = flows.filter(({ completionPs }) => completionPs !== null);
  const [longest] = longestQueues(ports, 1);
  const deliveredBytes = [...flows, ...messages.sums].reduce((sum, one) => sum + one.deliveredBytes, 0);
  const flowsDone = messages.sums.reduce((sum, job) => sum + job.done, done.length);
  return {
    flowsDone,
    flowsUnfinished: flows.length + messages.count - endless - flowsDone,
    ...(endless === 0 ? {} : { flowsEndless: endless }),
    completionPs: percentilesOf(float64ArrayOf(done, ({ completionPs }) => completionPs ?? 0)),
    slowdown: percentilesOf(float64ArrayOf(done, ({ slowdown }) => slowdown ?? 0)),
    maxQueueBytes: longest?.maxQueueBytes ?? 0,
    maxQueuePort: longest?.name ?? '',
    meanQueueBytes: longest?.meanQueueBytes ?? 0,
    pausedPs: ports.reduce((sum, { pausedPs }) => sum + pausedPs, 0),
    fairFromPs: findFairFromPs(flows, series),
    meanFairness: findMeanFairness(flows, series),
    goodputBps: activePs > 0 ? (deliveredBytes * BITS_PER_BYTE * PS_PER_SECOND) / activePs : 0,
    ...summariseOrder(flows, equalPaths),
  };
}

/** The ports with the longest queues, longest first, equal ones in order, as `record.ports: 'auto'` selects them. */
export function longestQueues(ports: readonly PortResult[], count: number): (PortResult | undefined)[] {
  return [...ports].sort((a, b) => b.maxQueueBytes - a.maxQueueBytes).slice(0, count);
}

/*
 * Percentiles by nearest rank: the smallest value such that at least the given share of all values does not exceed it. Each is
 * one of the values, so runs with the same values have bit-identical percentiles.
 */

/**
 * The percentile of sorted values.
 *
 * @param sorted ascending, not empty.
 * @param percent above 0, up to 100.
 */
export function nearestRank(sorted: ArrayLike<number>, percent: number): number {
  const rank = Math.ceil((percent * sorted.length) / 100);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1];
}

/** Mean and percentiles of values. The mean is summed in ascending order. @returns null for no values. */
export function percentilesOf(values: ArrayLike<number>): Percentiles | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const sum = sorted.reduce((total, value) => total + value, 0);
  return {
    min: sorted[0],
    p50: nearestRank(sorted, 50),
    p95: nearestRank(sorted, 95),
    p99: nearestRank(sorted, 99),
    max: sorted[sorted.length - 1],
    mean: sum / sorted.length,
  };
}
