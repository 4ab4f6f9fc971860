/**
 * The figures for comparing runs, from flows, ports and series: counts, percentiles, fairness of rates.
 *
 *   percentile     by nearest rank: the smallest value such that at least the given share of all values does not exceed it.
 *                  It is one of the values, so runs with the same values have bit-identical percentiles
 *   Jain's index   J = (sum x)^2 / (n sum x^2), 1/n to 1; k/n if k of n flows share everything equally
 *   fair           every rate is within 10 % of the mean rate
 *
 * Source of the index: Jain, Chiu, Hawe, A Quantitative Measure of Fairness, DEC-TR-301, 1984.
 */
import { BITS_PER_BYTE, PS_PER_SECOND } from '../../units.js';
import type { EqualPathsResult, FlowResult, MessageSums, Percentiles, PortResult, SeriesResult,
  Summary } from '../result.js';

/** The inputs of a summary. */
interface SummaryInput {
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

/** Members of a summary on equal paths and packet order; those that do not apply are absent. */
function summariseOrder(flows: readonly FlowResult[], equalPaths: readonly EqualPathsResult[] | undefined): Pick<
  Summary,
  'outOfOrderPackets' | 'reorderingDepthPackets' | 'detours' | 'pathFairness'
> {
  const outOfOrderPackets = flows.reduce((sum, flow) => sum + (flow.outOfOrderPackets ?? 0), 0);
  const reorderingDepthPackets = flows.reduce((most, flow) => Math.max(most, flow.reorderingDepthPackets ?? 0), 0);
  const detours = flows.reduce((sum, flow) => sum + (flow.detours ?? 0), 0);
  return {
    ...(outOfOrderPackets > 0 ? { outOfOrderPackets, reorderingDepthPackets } : {}),
    ...(detours > 0 ? { detours } : {}),
    ...(equalPaths === undefined || equalPaths.length === 0 ? {} : { pathFairness: meanFairness(equalPaths) }),
  };
}

/** Mean fairness, each set weighted by the bytes it carried. */
function meanFairness(equalPaths: readonly EqualPathsResult[]): number {
  let [sum, bytes] = [0, 0];
  for (const { txBytes, fairness } of equalPaths) {
    const sent = txBytes.reduce((all, one) => all + one, 0);
    sum += fairness * sent;
    bytes += sent;
  }
  return sum / bytes;
}

/** The ports with the longest queues, longest first, equal ones in order, as `record.ports: 'auto'` selects them. */
export function longestQueues(ports: readonly PortResult[], count: number): (PortResult | undefined)[] {
  return [...ports].sort((a, b) => b.maxQueueBytes - a.maxQueueBytes).slice(0, count);
}

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

/** One number per row, in an array that sorts fast. */
function float64ArrayOf<Row>(rows: readonly Row[], valueOf: (row: Row) => number): Float64Array {
  const numbers = new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index++) numbers[index] = valueOf(rows[index]);
  return numbers;
}

/** A port's peak ingress occupancy in a class, and its lowest pause threshold; absent if the port has none. */
export interface IngressFill {
  readonly maxIngressBytes?: number;
  readonly minPauseThresholdBytes?: number;
}

/** The port whose peak came nearest to its threshold, among ports that have both; the first of equal ones. */
export function tightestPort<Port extends IngressFill>(
  ports: readonly Port[],
): (Port & Required<IngressFill>) | undefined {
  let tightest: (Port & Required<IngressFill>) | undefined;
  for (const port of ports) {
    if (isKnown(port) && (tightest === undefined || fillOf(port) > fillOf(tightest))) tightest = port;
  }
  return tightest;
}

function isKnown<Port extends IngressFill>(port: Port): port is Port & Required<IngressFill> {
  return port.maxIngressBytes !== undefined && port.minPauseThresholdBytes !== undefined;
}

const fillOf = ({ maxIngressBytes, minPauseThresholdBytes }: Required<IngressFill>): number =>
  maxIngressBytes / Math.max(1, minPauseThresholdBytes);
