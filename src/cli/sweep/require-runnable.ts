/**
 * Rejects a sweep before it starts if none of its runs can run, for example because of a misspelt parameter or too
 * little memory.
 */
import { compileScenario } from '../../sim/compile/compile-scenario.js';
import { requireMemory } from '../../sim/compile/memory-estimate.js';
import { validateScenario } from '../../sim/scenario/validate.js';
import { RoceError } from '../../errors.js';
import type { PlannedRun, SweepPlan } from '../../sweep/index.js';

/** Maximum number of runs that are tried to find one that can run. */
const TRIED_MAX = 8;

/** @throws the RoceError of the first run, if none of the runs tried across the sweep could run. */
export function requireRunnable({ runs }: SweepPlan, maxMemoryBytes: number): void {
  let first: RoceError | undefined;
  for (const run of spread(runs)) {
    try {
      const valid = validateScenario(run.scenario);
      requireMemory(valid, maxMemoryBytes);
      if (valid.uet === null) compileScenario(valid);
      return;
    } catch (error) {
      if (!(error instanceof RoceError)) throw error;
      first ??= error;
    }
  }
  if (first !== undefined) throw first.at(`run ${runs[0].index}, ${first.where}`);
}

function* spread(runs: readonly PlannedRun[]): Generator<PlannedRun> {
  const count = Math.min(TRIED_MAX, runs.length);
  for (let nth = 0; nth < count; nth++) {
    yield runs[count === 1 ? 0 : Math.round((nth * (runs.length - 1)) / (count - 1))];
  }
}
