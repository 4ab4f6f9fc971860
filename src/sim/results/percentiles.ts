/**
 * Percentiles by nearest rank: the smallest value such that at least the given share of all values does not exceed it. Each is
 * one of the values, so runs with the same values have bit-identical percentiles.
 */
import type { Percentiles } from '../result.js';

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
