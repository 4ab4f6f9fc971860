/**
 * Makes the result of a tuning: the best set, its comparison with other sets by case, and the sensitivity to each
 * parameter.
 */
import { planSweep } from '../../sweep/plan.js';
import { compileScenario } from '../../sim/compile/compile-scenario.js';
import { validateScenario } from '../../sim/scenario/validate.js';
import { scoresOf, valuesAt, type ParameterValues, type Score, type Trial, type Found } from './search.js';
import type { TuneResult } from './result-schema.js';
import { DEFAULT_SEEDS } from './tune-spec.js';
import { irdmaSettings, mlxconfigSettings } from './vendor-settings.js';

type Compared = TuneResult['compared'][number];
type WrittenScore = Compared['tuned'];
type Sensitivity = TuneResult['sensitivity'][number];

const MOVED = 0.1;
const BEST = 'found';

export async function resultOf(best: Found, runs: number, trial: Trial): Promise<TuneResult> {
  const { spec } = trial;
  const sets = { [BEST]: best.values, ...spec.against };
  const compared = await compare(sets, trial);
  const [own, ...others] = compared;
  const isJudged = own?.heldOutAll !== null && own !== undefined && others.length > 0;
  return {
    format: 'roce-cc-tune-1',
    name: spec.name,
    minimise: spec.minimise,
    runs,
    best: best.values,
    compared,
    beatsAllHeldOut: isJudged ? others.every(({ heldOutAll }) => beats(own.heldOutAll, heldOutAll)) : null,
    sensitivity: await sensitivityOf(best, trial),
    settings: settingsOf(best.values, trial),
  };
}

function beats(a: WrittenScore | null, b: WrittenScore | null): boolean {
  if (a === null || b === null) return false;
  const [violation, otherViolation] = [a.violation ?? Infinity, b.violation ?? Infinity];
  return violation < otherViolation ||
    (violation === otherViolation && (a.objective ?? Infinity) < (b.objective ?? Infinity));
}

/** Converts a score for JSON: Infinity becomes null. */
function written({ violation, objective, runs }: Score): WrittenScore {
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  return { violation: finite(violation), objective: finite(objective), runs };
}

async function compare(sets: Readonly<Record<string, ParameterValues>>, trial: Trial): Promise<Compared[]> {
  const { cases, heldOut = {}, seeds = DEFAULT_SEEDS } = trial.spec;
  const names = Object.keys(sets);
  const candidates = Object.values(sets);
  const tuned = await scoresOf(candidates, cases, seeds, trial);
  const hasHeldOut = Object.keys(heldOut).length > 0;
  const all = hasHeldOut ? await scoresOf(candidates, heldOut, seeds, trial) : [];
  const byCase = new Map<string, Score[]>();
  for (const [name, values] of Object.entries(heldOut)) {
    byCase.set(name, await scoresOf(candidates, { [name]: values }, seeds, trial));
  }
  return names.map((name, at) => ({
    name,
    tuned: written(tuned[at]),
    heldOut: Object.fromEntries([...byCase].map(([label, scores]) => [label, written(scores[at])])),
    heldOutAll: hasHeldOut ? written(all[at]) : null,
  }));
}

async function sensitivityOf({ point, score }: Found, trial: Trial): Promise<Sensitivity[]> {
  const { parameters, cases, seeds = DEFAULT_SEEDS } = trial.spec;
  const moved = parameters.flatMap((_, index) =>
    [-MOVED, MOVED].map((by) =>
      valuesAt(point.with(index, Math.min(1, Math.max(0, (point[index] ?? 0) + by))), trial.spec)
    )
  );
  const scores = await scoresOf(moved, cases, seeds, trial);
  const ratio = (at: number): number | null => {
    const { objective, violation } = scores[at] ?? { objective: Infinity, violation: Infinity };
    return Number.isFinite(objective) && violation <= score.violation ? objective / score.objective : null;
  };
  return parameters.map(({ path, name }, index) => ({
    parameter: name ?? path,
    lower: ratio(2 * index),
    higher: ratio(2 * index + 1),
  }));
}

/** Adapters' settings for the first parameter set of the best candidate's scenario; null if that is not DCQCN. */
function settingsOf(values: ParameterValues, { spec, base }: Trial): TuneResult['settings'] {
  const [cases] = Object.values(spec.cases);
  const set = { ...spec.set, ...cases, ...values };
  const [run] = planSweep({ name: spec.name, base, set }, base).runs;
  const valid = validateScenario(run?.scenario);
  if (valid.uet !== null) return null;
  const { plan } = compileScenario(valid);
  const [parameters] = plan.parameterSets;
  if (parameters?.algorithm !== 'dcqcn') return null;
  const path = { mssBytes: plan.rules.mtuBytes, rttPs: shortestRttPs(plan.flows.idealPs) };
  return { mlxconfig: mlxconfigSettings(parameters), irdma: irdmaSettings(parameters, path) };
}

/** An estimate of the path's round-trip time: the shortest flow's completion time in an idle network. */
function shortestRttPs(idealPs: Float64Array): number {
  return Math.round(idealPs.reduce((least, value) => Math.min(least, value), Infinity));
}
