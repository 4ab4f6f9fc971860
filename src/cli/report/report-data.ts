/**
 * The data from which a report's script draws the charts, embedded in the page as JSON: results with fewer points and
 * digits, and all peaks.
 */
import type { FlowPath } from '../../sim/flow-path/flow-path.js';
import { type Figure, SIZE_PERCENTILES, sizeFigure, sizePercentileFigure } from '../../sweep/figures/figure.js';
import { isRunning, tightestPort } from '../../sim/results/summary.js';
import type { FlowResult, PortResult, SimResult } from '../../sim/result.js';
import { bucketEdges, sizeBuckets } from '../../sweep/metrics.js';
import { BPS_PER_MBPS, PS_PER_US } from '../../units.js';
import { keptFlows, longestQueuePort, peakOf, queueSeries, seriesStartPs, thinIndices } from '../run/series.js';

export interface PageData {
  readonly runs: readonly PageRun[];
  readonly figures: readonly Figure[];
  /**
   * The path of one flow per run, which the reader can save as JSON; null for a run without one. Absent if no run has
   * one.
   */
  readonly paths?: readonly (FlowPath | null)[];
}

export interface PageRun {
  readonly name: string;
  /** Whether its first flow starts later than at time 0. */
  readonly isShifted: boolean;
  /** Times of the samples, since the first flow's start. */
  readonly timesUs: readonly number[];
  readonly peakPort: string | null;
  readonly ports: readonly PagePort[];
  /** The first flows, as many as a chart can show. */
  readonly flows: readonly PageFlow[];
  readonly flowCount: number;
  /** Jain's index at each sample; null if fewer than two flows are running. */
  readonly fairness: readonly (number | null)[];
  /** Points of the cumulative distribution: completion time, share of flows done within it. */
  readonly completions: readonly (readonly [timeUs: number, share: number])[];
  /** Sizes and completion times, of as many flows as a chart can show. */
  readonly sizes: PageSizes;
  readonly pauses: readonly PagePause[];
}

export interface PageSizes {
  readonly sizeBytes: readonly number[];
  /** null if the flow is not done. */
  readonly completionUs: readonly (number | null)[];
}

export interface PagePort {
  readonly name: string;
  readonly queueBytes: readonly number[];
  readonly utilization: readonly number[];
  /** Marking thresholds, if the port marks. */
  readonly kminBytes?: number;
  readonly kmaxBytes?: number;
  /** Lowest pause threshold of one ingress port of this switch: the one that came nearest to a pause, in any class. */
  readonly pauseBytes?: number;
  /** Name of that ingress port. */
  readonly pauseInput?: string;
}

export interface PageFlow {
  readonly label: string;
  /** null while it isn't running. */
  readonly rateMbps: readonly (number | null)[];
}

export interface PagePause {
  readonly port: string;
  readonly pausedUs: number;
}

/** Maximum points of a line: about the chart's width in pixels. */
const POINTS_MAX = 1000;
const PAUSED_PORTS_MAX = 12;
/** Maximum flows with a line of their rate: more would be illegible and make the file large. */
const FLOWS_MAX = 64;
const PORTS_MAX = 16;
/** Maximum dots in the chart of completion times by size. */
const DOTS_MAX = 4000;
const SHARE_DIGITS = 4;

/** @param names one per result. @param paths of a followed flow, one per result; undefined for a result without one. */
export function pageData(results: readonly SimResult[], names: readonly string[],
  paths: readonly (FlowPath | undefined)[] = []): PageData {
  return {
    runs: results.map((result, index) => pageRun(result, names[index] ?? result.scenario.name)),
    figures: resultFigures(results, names),
    ...(paths.some((path) => path !== undefined) && { paths: paths.map((path) => path ?? null) }),
  };
}

function pageRun(result: SimResult, name: string): PageRun {
  const { series, flows, ports } = result;
  const startPs = seriesStartPs(result);
  const peakPort = longestQueuePort(result) ?? null;
  const guide = peakPort === null ? series.timesPs : (queueSeries(series)[peakPort] ?? series.timesPs);
  const kept = thinIndices(guide, POINTS_MAX);
  return {
    name,
    isShifted: startPs > 0,
    timesUs: kept.map((index) => ((series.timesPs[index] ?? 0) - startPs) / PS_PER_US),
    peakPort,
    ports: pagePorts(result, kept),
    flows: keptFlows(series, flows).slice(0, FLOWS_MAX).map(({ flow, rates }) =>
      pageFlow(flow, rates, series.timesPs, kept)
    ),
    flowCount: flows.length,
    fairness: kept.map((index) => fairnessAt(result, index)),
    completions: cumulative(flows),
    sizes: sizesOf(flows),
    pauses: pausedPorts(ports),
  };
}

/** The ports with the longest queues, longest first. */
function pagePorts({ series, ports: results }: SimResult, kept: readonly number[]): PagePort[] {
  const ports = Object.entries(queueSeries(series)).map(([name, values]) => ({ name, values, peak: peakOf(values) }));
  const longest = ports.sort((a, b) => b.peak - a.peak || (a.name < b.name ? -1 : 1)).slice(0, PORTS_MAX);
  return longest.map(({ name, values }) => ({
    name,
    queueBytes: kept.map((index) => Math.round(values[index] ?? 0)),
    utilization: kept.map((index) => rounded(series.utilization[name]?.[index] ?? 0)),
    ...thresholdsOf(results, name),
  }));
}

function thresholdsOf(ports: readonly PortResult[],
  name: string): Pick<PagePort, 'kminBytes' | 'kmaxBytes' | 'pauseBytes' | 'pauseInput'> {
  const port = ports.find((candidate) => candidate.name === name);
  if (port === undefined) return {};
  const { kminBytes, kmaxBytes, node } = port;
  const input = tightestPort(ports.filter((other) => other.node === node));
  return {
    ...(kminBytes === undefined || kmaxBytes === undefined ? {} : { kminBytes, kmaxBytes }),
    ...(input && { pauseBytes: input.minPauseThresholdBytes, pauseInput: input.name }),
  };
}

function pageFlow(flow: FlowResult, rates: readonly number[], timesPs: readonly number[],
  kept: readonly number[]): PageFlow {
  const rateAt = (
    index: number,
  ): number | null => (isRunning(flow, timesPs[index] ?? 0) ? Math.round((rates[index] ?? 0) / BPS_PER_MBPS) : null);
  return { label: `${flow.index}: ${flow.from} → ${flow.to}`, rateMbps: kept.map(rateAt) };
}

/** Jain's index at a sample; null for fewer than two running flows, where it means nothing. */
function fairnessAt({ series, flows }: SimResult, index: number): number | null {
  const timePs = series.timesPs[index] ?? 0;
  let running = 0;
  for (const flow of flows) {
    if (isRunning(flow, timePs)) running++;
    if (running === 2) return rounded(series.fairness[index] ?? 0);
  }
  return null;
}

/** Cumulative distribution over all flows, so that the line ends below 1 if some are not done. */
function cumulative(flows: readonly FlowResult[]): [number, number][] {
  const times = flows.flatMap(({ completionPs }) => (completionPs === null ? [] : [completionPs])).sort((a, b) =>
    a - b
  );
  const step = Math.max(1, times.length / POINTS_MAX);
  const ranks = Array.from({ length: Math.min(times.length, POINTS_MAX) }, (_, index) => Math.ceil((index + 1) * step));
  return ranks.map((rank) => [(times[rank - 1] ?? 0) / PS_PER_US, rank / flows.length]);
}

/** Sizes and completion times; of many flows, an evenly spaced selection. */
function sizesOf(flows: readonly FlowResult[]): PageSizes {
  const step = Math.max(1, flows.length / DOTS_MAX);
  const kept = Array.from({ length: Math.min(flows.length, DOTS_MAX) }, (_, index) => flows[Math.floor(index * step)])
    .filter((flow) => flow !== undefined);
  return {
    sizeBytes: kept.map(({ sizeBytes }) => sizeBytes),
    completionUs: kept.map(({ completionPs }) => (completionPs === null ? null : completionPs / PS_PER_US)),
  };
}

function pausedPorts(ports: readonly PortResult[]): PagePause[] {
  return ports.filter(({ pausedPs }) => pausedPs > 0)
    .sort((a, b) => b.pausedPs - a.pausedPs || (a.name < b.name ? -1 : 1))
    .slice(0, PAUSED_PORTS_MAX)
    .map(({ name, pausedPs }) => ({ port: name, pausedUs: pausedPs / PS_PER_US }));
}

function rounded(share: number): number {
  return Number(share.toFixed(SHARE_DIGITS));
}

/**
 * Figures of slowdown by flow size: for one run, one figure with three percentiles; for several, a figure per
 * percentile with all runs.
 *
 * Empty if all flows have the same size.
 */
export function resultFigures(results: readonly SimResult[], names: readonly string[]): Figure[] {
  const edges = commonEdges(results);
  if (edges.length < 2) return [];
  const series = results.map(({ flows }, index) => ({ label: names[index] ?? '', seeds: [sizeBuckets(flows, edges)] }));
  const [only, ...others] = series;
  if (only === undefined) return [];
  if (others.length === 0) return [sizePercentileFigure('sizes', 'Slowdown by flow size', only)];
  return SIZE_PERCENTILES.map((percentile) =>
    sizeFigure(`sizes-${percentile}`, `Slowdown by flow size, ${percentile}`, series, percentile)
  );
}

/** The size buckets of the workloads if these are all equal; otherwise buckets for all flows together. */
function commonEdges(results: readonly SimResult[]): readonly number[] {
  const all = results.map(({ scenario, flows }) => bucketEdges(scenario.workload, flows));
  const isCommon = all.every((edges) => edges.join() === all[0]?.join());
  return isCommon ? (all[0] ?? []) : bucketEdges(undefined, results.flatMap(({ flows }) => flows));
}
