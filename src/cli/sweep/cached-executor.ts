/** Runs that are known from before are not done again. */
import type { SweepExecutor } from '../../sweep/index.js';
import { isDigest } from '../../sweep/digest.js';
import type { RunCache } from './run-cache.js';

/** Only runs with a result are kept: what failed for want of time or memory may do better next time. */
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
