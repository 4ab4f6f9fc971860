/** Metrics of rows, by name: those of src/sim/metrics.ts, and percentiles over flows in a range of sizes. */
import { reject } from '../config/field-rules.js';
import { metricOf, METRICS, readMetrics, type Metric, type MetricKey } from '../sim/index.js';
import type { FlowResult, Percentiles, SimResult } from '../sim/result.js';

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
 * A percentile as in results: the smallest value that is at least as large as the given percentage of all values.
 *
 * @param sorted ascending, not empty.
 * @param percent above 0, up to 100.
 */
export function nearestRank(sorted: ArrayLike<number>, percent: number): number {
  const rank = Math.ceil((percent * sorted.length) / 100);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1];
}
