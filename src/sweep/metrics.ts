/**
 * Metrics of rows, by name: those of src/sim/metrics.ts, and percentiles over flows in a range of sizes; and slowdown by
 * flow size, in buckets of similar size as on the axis of HPCC's figures 10 and 11.
 */
import { reject } from '../config/field-rules.js';
import { metricOf, METRICS, readMetrics, type Metric, type MetricKey, SIZE_DISTRIBUTION_NAMES,
  sizePointsOf } from '../sim/index.js';
import type { FlowResult, Percentiles, SimResult } from '../sim/result.js';
import type { SizeCdf } from '../sim/scenario/spec.js';

/** Names of all metrics. Those of `slowdown` and `completionPs` may be followed by a range of flow sizes in bytes. */
export const METRIC_NAMES: readonly string[] = [...METRICS.keys()];

/** Default metrics of rows. */
export const DEFAULT_METRICS: readonly MetricKey[] = [
  'slowdown.p50',
  'slowdown.p95',
  'slowdown.p99',
  'completionPs.mean',
  'completionPs.p99',
  'maxQueueBytes',
  'goodputBps',
  'pauses',
  'pausedPs',
  'drops',
  'marks',
  'flowsDone',
  'flowsUnfinished',
];

/** A percentile over flows larger than the first size, up to the second: `slowdown.p99[..10000]`. */
const OF_SIZES = /^(slowdown|completionPs)\.(min|p50|p95|p99|max|mean)\[(\d{0,15})\.\.(\d{0,15})\]$/;

/**
 * Deciles of the distributions: the ticks on the horizontal axes of Li et al., "HPCC", SIGCOMM 2019, figures 10
 * (WebSearch) and 11 (both).
 */
export const BUCKET_EDGES: Readonly<Record<'WebSearch' | 'FB_Hadoop', readonly number[]>> = {
  WebSearch: [6700, 20_000, 30_000, 50_000, 73_000, 197_000, 989_000, 2_000_000, 5_000_000, 30_000_000],
  FB_Hadoop: [324, 400, 500, 600, 700, 1000, 7000, 46_000, 120_000, 10_000_000],
};
const GROUPS = 10;

/** Flows of more than `fromBytes`, up to `toBytes`. */
export interface SizeBucket {
  /** Lower end, exclusive, bytes. */
  readonly fromBytes: number;
  /** Upper end, inclusive, bytes. */
  readonly toBytes: number;
  /** Number of completed flows. */
  readonly flows: number;
  /** Their median slowdown; null if there are none. */
  readonly p50: number | null;
  /** 95th percentile of the slowdown. */
  readonly p95: number | null;
  /** 99th percentile of the slowdown. */
  readonly p99: number | null;
}

/** Whether a metric of this name exists. */
function isMetricName(name: string): boolean {
  return METRICS.has(name) || OF_SIZES.test(name);
}

/** @throws RoceError `invalid-config` for an unknown metric. */
export function checkMetric(name: unknown, where: string): void {
  if (typeof name === 'string' && isMetricName(name)) return;
  const hint = 'A percentile may be of some sizes: slowdown.p99[..10000], slowdown.p50[100000..1000000]';
  reject({ what: 'the metric', got: name, allowed: METRIC_NAMES, where, hint });
}

/** Whether every digest has this metric. The others are computed on request. */
export function isPlainMetric(name: string): boolean {
  return METRICS.has(name);
}

/** Title and unit of a metric, also of one for a range of sizes: `slowdown, p99, flows up to 10KB`. */
export function describeMetric(name: string): Pick<Metric, 'title' | 'unit'> {
  const [, of, share, above, upTo] = OF_SIZES.exec(name) ?? [];
  const { title, unit } = metricOf((of === undefined ? name : `${of}.${share}`) as MetricKey);
  if (of === undefined) return { title, unit };
  const low = above === '' ? '' : ` above ${shortBytes(Number(above))}B`;
  const high = upTo === '' ? '' : ` up to ${shortBytes(Number(upTo))}B`;
  return { title: `${title}, flows${low}${high}`, unit };
}

/** Formats bytes as on the axes of HPCC's figures: 324, 6.7K, 2M. */
export function shortBytes(bytes: number): string {
  if (bytes >= 1e9) return `${Number((bytes / 1e9).toPrecision(3))}G`;
  if (bytes >= 1e6) return `${Number((bytes / 1e6).toPrecision(3))}M`;
  return bytes >= 1e3 ? `${Number((bytes / 1e3).toPrecision(3))}K` : String(bytes);
}

/** Values of all plain metrics and of the requested ones, by name; null if the result has no such value. */
export function metricsOf(result: SimResult, asked: readonly string[]): Record<string, number | null> {
  const ofSizes = asked.filter((name) => !METRICS.has(name)).map((name) => [name, metricOfSizes(result, name)]);
  return { ...readMetrics(result), ...Object.fromEntries(ofSizes) as Record<string, number | null> };
}

function metricOfSizes({ flows }: SimResult, name: string): number | null {
  const [, of, share, above, upTo] = OF_SIZES.exec(name) ?? [];
  const [low, high] = [above === '' ? 0 : Number(above), upTo === '' ? Infinity : Number(upTo)];
  const values = flows.filter(({ sizeBytes }) => sizeBytes > low && sizeBytes <= high)
    .flatMap((flow) => valueOf(flow, of) ?? []);
  return values.length === 0 ? null : shareOf(Float64Array.from(values).sort(), share as keyof Percentiles);
}

function valueOf(flow: FlowResult, of: string): number | null {
  return of === 'slowdown' ? flow.slowdown : flow.completionPs;
}

function shareOf(sorted: Float64Array, share: keyof Percentiles): number {
  if (share === 'mean') return sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  if (share === 'min') return sorted[0];
  return share === 'max' ? sorted[sorted.length - 1] : nearestRank(sorted, Number(share.slice(1)));
}

/**
 * Upper ends of buckets: the deciles of the workload's distribution, so that all seeds have the same ones; without a
 * distribution, of ten groups with equal numbers of flows.
 */
export function bucketEdges(workload: unknown, flows: readonly Pick<FlowResult, 'sizeBytes'>[]): readonly number[] {
  const known = edgesOfDistribution(workload);
  if (known !== undefined) return known;
  const sizes = Float64Array.from(flows, ({ sizeBytes }) => sizeBytes).sort();
  if (sizes.length === 0) return [];
  const edges = Array.from({ length: GROUPS }, (_, group) => nearestRank(sizes, ((group + 1) * 100) / GROUPS));
  return [...new Set(edges)];
}

/** Edges of the size distribution (a name or points), if all workloads have the same one. */
function edgesOfDistribution(workload: unknown): readonly number[] | undefined {
  const all = (Array.isArray(workload) ? workload : [workload]) as readonly { readonly sizes?: unknown }[];
  const [sizes, ...others] = new Set(all.map((one) => one?.sizes));
  if (others.length > 0) return undefined;
  if (Array.isArray(sizes)) return decilesOf(sizes as SizeCdf);
  if (sizes === 'WebSearch' || sizes === 'FB_Hadoop') return BUCKET_EDGES[sizes];
  const name = SIZE_DISTRIBUTION_NAMES.find((one) => one === sizes);
  return name === undefined ? undefined : decilesOf(sizePointsOf(name));
}

/** Sizes of a distribution at which each tenth of all flows is reached. */
function decilesOf(points: SizeCdf): number[] {
  const edges = Array.from({ length: GROUPS },
    (_, group) => points.find(({ share }) => share * GROUPS >= group + 1)?.sizeBytes ?? 0);
  return [...new Set(edges)].filter((edge) => edge > 0);
}

/** Groups completed flows into one bucket per edge, and one more if there are larger flows. */
export function sizeBuckets(flows: readonly FlowResult[], edges: readonly number[]): SizeBucket[] {
  const largest = flows.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes), 0);
  const ends = largest > (edges.at(-1) ?? 0) ? [...edges, largest] : edges;
  const groups = ends.map((): number[] => []);
  for (const { sizeBytes, slowdown } of flows) {
    if (slowdown !== null) groups[groupOf(ends, sizeBytes)].push(slowdown);
  }
  return ends.map((toBytes, index) => bucketOf(groups[index], ends[index - 1] ?? 0, toBytes));
}

/** Index of the first end that is not less than the size. */
function groupOf(ends: readonly number[], sizeBytes: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle] >= sizeBytes) high = middle;
    else low = middle + 1;
  }
  return low;
}

function bucketOf(slowdowns: readonly number[], fromBytes: number, toBytes: number): SizeBucket {
  const sorted = Float64Array.from(slowdowns).sort();
  const at = (percent: number): number | null => (sorted.length === 0 ? null : nearestRank(sorted, percent));
  return { fromBytes, toBytes, flows: sorted.length, p50: at(50), p95: at(95), p99: at(99) };
}

/**
 * A percentile as in results: the smallest value that is at least as large as the given percentage of all values.
 *
 * @param sorted ascending, not empty.
 * @param percent above 0, up to 100.
 */
export function nearestRank(sorted: ArrayLike<number>, percent: number): number {
  const rank = Math.ceil((percent * sorted.length) / 100);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1];
}
