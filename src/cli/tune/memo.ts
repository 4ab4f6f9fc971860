/** Remembers the runs of a command, so that rungs and comparisons reuse them even without a cache. */
import type { RunOutcome, SweepExecutor } from '../../sweep/index.js';

export function rememberingExecutor(execute: SweepExecutor): SweepExecutor {
  const known = new Map<string, Promise<RunOutcome>>();
  return (job, run) => {
    let outcome = known.get(run.hash);
    if (outcome === undefined) {
      outcome = execute(job, run);
      known.set(run.hash, outcome);
    }
    return outcome;
  };
}
