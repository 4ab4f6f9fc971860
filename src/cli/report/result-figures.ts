/**
 * Figures of slowdown by flow size: for one run, one figure with three percentiles; for several, a figure per
 * percentile with all runs.
 */
import type { SimResult } from '../../sim/result.js';
import type { Figure } from '../../sweep/figures/figure.js';
import { SIZE_PERCENTILES, sizeFigure, sizePercentileFigure } from '../../sweep/figures/size-figure.js';
import { bucketEdges, sizeBuckets } from '../../sweep/size-buckets.js';

/** Empty if all flows have the same size. */
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
