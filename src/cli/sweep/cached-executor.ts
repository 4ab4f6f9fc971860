/** Takes known results from the cache instead of repeating the runs. */
import type { SweepExecutor } from '../../sweep/index.js';
import { isDigest } from '../../sweep/digest.js';
import type { RunCache } from './run-cache.js';

/**
 * Wraps an executor with the cache. Only successful runs are stored: one that ran out of time or memory may succeed
 * next time.
 */
export function cachedExecutor(execute: SweepExecutor, cache: RunCache, onHit: () => void): SweepExecutor {
  return async (job, run) => {
    const key = cache.keyOf(job);
    const known = cache.read(key);
    if (known !== undefined) {
      onHit();
      return known;
    }
    const outcome = await execute(job, run);
    if (isDigest(outcome)) cache.write(key, outcome);
    return outcome;
  };
}
