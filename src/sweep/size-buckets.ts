/**
 * Slowdown by flow size: flows are grouped into buckets of similar size, as on the axis of HPCC's figures 10 and 11.
 */
import type { FlowResult } from '../sim/result.js';
import type { SizeCdf } from '../sim/scenario/spec.js';
import { SIZE_DISTRIBUTION_NAMES, sizePointsOf } from '../sim/index.js';
import { nearestRank } from './metrics.js';

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

/**
 * Deciles of the distributions: the ticks on the horizontal axes of Li et al., "HPCC", SIGCOMM 2019, figures 10
 * (WebSearch) and 11 (both).
 */
export const BUCKET_EDGES: Readonly<Record<'WebSearch' | 'FB_Hadoop', readonly number[]>> = {
  WebSearch: [6700, 20_000, 30_000, 50_000, 73_000, 197_000, 989_000, 2_000_000, 5_000_000, 30_000_000],
  FB_Hadoop: [324, 400, 500, 600, 700, 1000, 7000, 46_000, 120_000, 10_000_000],
};
const GROUPS = 10;

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
