/** Sweeps of studies. `roce-cc sweep studies/NAME/FILE.json` runs them too: a page has more of each run than rows of a sweep do. */
import { readFileSync } from 'node:fs';
import type { ScenarioSpec } from '../src/sim/scenario/spec.js';
import { planSweep, type PlannedRun, type SweepPlan } from '../src/sweep/plan.js';
import type { SweepSpec } from '../src/sweep/spec.js';

/** @param path from this folder, such as `wan/sweep.json`. */
export function planOfStudy(path: string): SweepPlan {
  const sweep = readJson(new URL(path, import.meta.url)) as SweepSpec;
  return planSweep(sweep, typeof sweep.base === 'string' ? shipped(sweep.base) : sweep.base);
}

/** A scenario of examples/scenarios. */
export function shipped(name: string): ScenarioSpec {
  return readJson(new URL(`../examples/scenarios/${name}.json`, import.meta.url)) as ScenarioSpec;
}

function readJson(file: URL): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The values of an axis, in their order. */
export function valuesOf({ axes, runs }: SweepPlan, axis: string): string[] {
  const column = axes.indexOf(axis);
  return [...new Set(runs.map(({ values }) => String(values[column])))];
}

/** The runs that have these values. */
export function runsWith({ axes, runs }: SweepPlan, values: Readonly<Record<string, string>>): PlannedRun[] {
  return runs.filter((run) =>
    Object.entries(values).every(([axis, value]) => run.values[axes.indexOf(axis)] === value)
  );
}

/** @throws Error if no run, or more than one, has these values. */
export function runWith(plan: SweepPlan, values: Readonly<Record<string, string>>): PlannedRun {
  const runs = runsWith(plan, values);
  const [run] = runs;
  if (run === undefined || runs.length > 1)
    throw new Error(`${runs.length} runs of ${plan.sweep.name} have ${JSON.stringify(values)}`);
  return run;
}
