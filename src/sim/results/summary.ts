/**
 * The figures for comparing runs, from flows, ports and series.
 */
import { BITS_PER_BYTE, PS_PER_SECOND } from '../../unit-sizes.js';
import { float64ArrayOf } from '../float64-array-of.js';
import type { FlowResult, MessageSums, PortResult, SeriesResult, Summary, EqualPathsResult } from '../result.js';
import { findFairFromPs, findMeanFairness } from './fairness.js';
import { summariseOrder } from '../features/balancing/equal-paths.js';
import { percentilesOf } from './percentiles.js';

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
