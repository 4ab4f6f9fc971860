/**
 * Percentiles by nearest rank: the smallest value that at least the given share of all values doesn't exceed. Each is
 * one of the values, so two runs with the same values have the same percentiles to the bit.
 */
import type { Percentiles } from '../result.js';

/**
 * @param sorted ascending, not empty.
 * @param percent above 0, up to 100.
 */
export function nearestRank(sorted: ArrayLike<number>, percent: number): number {
  const rank = Math.ceil((percent * sorted.length) / 100);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1];
}

/** @returns null for no values. The mean is summed in ascending order. */
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
