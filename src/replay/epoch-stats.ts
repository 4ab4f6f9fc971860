/** Sums the counters of several epochs. */
import type { Stats } from '../engine/stats.js';

/** Adds the two sets of statistics, counter by counter. */
export function addStats(sum: Stats | undefined, more: Stats): Stats {
  return sum === undefined ? more : (added(sum, more) as Stats);
}

function added(sum: unknown, more: unknown): unknown {
  if (typeof sum === 'number' && typeof more === 'number') return sum + more;
  if (typeof sum !== 'object' || sum === null) return more;
  const entries = Object.entries(more as object).map(([name, value]) => [
    name,
    added((sum as Readonly<Record<string, unknown>>)[name], value),
  ]);
  return Object.fromEntries(entries);
}
