/** What rows show of a run: numbers by name, out of its result. */
import { refuse } from '../config/field-rules.js';
import type { FlowResult, Percentiles, SimResult, Summary } from '../sim/result.js';
import { nearestRank } from './nearest-rank.js';

type Metric = (result: SimResult) => number | null;

/** One number of the distributions that a summary has. */
const SHARES = ['min', 'p50', 'p95', 'p99', 'max', 'mean'] as const satisfies readonly (keyof Percentiles)[];
const DISTRIBUTIONS = ['slowdown', 'completionPs'] as const satisfies readonly (keyof Summary)[];

const PLAIN: Readonly<Record<string, Metric>> = {
  flowsDone: ({ summary }) => summary.flowsDone,
  flowsUnfinished: ({ summary }) => summary.flowsUnfinished,
  maxQueueBytes: ({ summary }) => summary.maxQueueBytes,
  meanQueueBytes: ({ summary }) => summary.meanQueueBytes,
  pausedPs: ({ summary }) => summary.pausedPs,
  fairFromPs: ({ summary }) => summary.fairFromPs,
  meanFairness: ({ summary }) => summary.meanFairness,
  goodputBps: ({ summary }) => summary.goodputBps,
  pauses: ({ totals }) => totals.pauses,
  drops: ({ totals }) => totals.packetsDropped,
  marks: ({ totals }) => totals.marks,
  cnps: ({ totals }) => totals.cnps,
  fastCnps: ({ totals }) => totals.fastCnps,
  retransmittedPackets: ({ totals }) => totals.retransmittedPackets,
  timeouts: ({ totals }) => totals.timeouts,
  simulatedPs: ({ simulatedPs }) => simulatedPs,
  packetHops: ({ packetHops }) => packetHops,
  events: ({ events }) => events,
};

const OF_DISTRIBUTIONS = DISTRIBUTIONS.flatMap((of) =>
  SHARES.map((share): readonly [string, Metric] => [`${of}.${share}`, ({ summary }) => summary[of]?.[share] ?? null])
);

const METRICS: ReadonlyMap<string, Metric> = new Map([...OF_DISTRIBUTIONS, ...Object.entries(PLAIN)]);

/** Names of all metrics; those of `slowdown` and `completionPs` may be followed by a range of sizes in bytes. */
export const METRIC_NAMES: readonly string[] = [...METRICS.keys()];

/** What rows show unless the sweep says otherwise. */
export const DEFAULT_METRICS: readonly string[] = [
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

/** `slowdown.p99[..10000]`: of flows of more than the first size, up to the second. */
const OF_SIZES = /^(slowdown|completionPs)\.(min|p50|p95|p99|max|mean)\[(\d{0,15})\.\.(\d{0,15})\]$/;

/** Is it the name of a metric? */
export function isMetricName(name: string): boolean {
  return METRICS.has(name) || OF_SIZES.test(name);
}

/** @throws RoceError `invalid-config` for what is no name of a metric. */
export function checkMetric(name: unknown, where: string): void {
  if (typeof name === 'string' && isMetricName(name)) return;
  const hint = 'A percentile may be of some sizes: slowdown.p99[..10000], slowdown.p50[100000..1000000]';
  refuse({ what: 'the metric', got: name, allowed: METRIC_NAMES, where, hint });
}

/** Is it a metric that every digest has? The others are computed when they are asked for. */
export function isPlainMetric(name: string): boolean {
  return METRICS.has(name);
}

/** Numbers of a result by the names of all plain metrics, and of those that are asked for; null: there is none. */
export function metricsOf(result: SimResult, asked: readonly string[]): Record<string, number | null> {
  const all = [...METRICS].map(([name, metric]): [string, number | null] => [name, metric(result)]);
  const ofSizes = asked.filter((name) => !METRICS.has(name)).map((name): [string, number | null] => [
    name,
    metricOfSizes(result, name),
  ]);
  return Object.fromEntries([...all, ...ofSizes]);
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
