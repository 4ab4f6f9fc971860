/** A tuning as users write it in JSON. docs/guides/tuning.md explains each key. */
import { checkField, checkKeys, checkRecord, inRange, oneOf, reject, wholeIn } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import { parseSweep } from '../../sweep/check-sweep.js';
import type { SweepSpec } from '../../sweep/index.js';
import { checkMetric } from '../../sweep/metrics.js';
import type { RangeAxis } from '../../sweep/spec.js';

/** Parameters with ranges, an objective, and the cases on which candidates are evaluated. */
export interface TuneSpec {
  readonly name: string;
  readonly description?: string;
  /** The base scenario, as in a sweep. */
  readonly base: unknown;
  readonly set?: Readonly<Record<string, unknown>>;
  /** The parameters to be found, each within its range. */
  readonly parameters: readonly Omit<RangeAxis, 'count'>[];
  /** The metric whose geometric mean over cases and seeds is minimised. */
  readonly minimise: string;
  /** Limits of metrics that no run may exceed. All flows must always complete. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Cases on which candidates are evaluated: by name, values by path. */
  readonly cases: Cases;
  /** Held-out cases, on which only the best candidate and the sets of `against` are evaluated. */
  readonly heldOut?: Cases;
  /** Parameter sets to compare with: by name, values by path. */
  readonly against?: Cases;
  /** Seeds of each case. Default 3. */
  readonly seeds?: number;
  /** Maximum number of runs of the search. Default 300. */
  readonly runs?: number;
  /** Seed of the search. Default 1. */
  readonly seed?: number;
}

/** Cases: by name, values by path. */
export type Cases = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const DEFAULT_SEEDS = 3;
export const DEFAULT_RUNS = 300;
export const DEFAULT_SEARCH_SEED = 1;

const KEYS = [
  '$schema',
  'name',
  'description',
  'base',
  'set',
  'parameters',
  'minimise',
  'limits',
  'cases',
  'heldOut',
  'against',
  'seeds',
  'runs',
  'seed',
];
const PARAMETERS_MAX = 30;
const RUNS_MAX = 1_000_000;
const SEEDS_MAX = 1000;

/** @throws RoceError `invalid-sweep`, naming the key. */
export function parseTune(given: unknown): TuneSpec {
  try {
    return checked(given);
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    const where = error.where.replace(/^sweep\.axes\[0\]\.ranges/, 'tune.parameters').replace(/^sweep/, 'tune');
    throw error.at(where, error.code === 'invalid-config' ? 'invalid-sweep' : error.code);
  }
}

function checked(given: unknown): TuneSpec {
  const tune = checkRecord(given, 'tune');
  checkKeys(tune, KEYS, 'tune');
  checkMetric(tune['minimise'], 'tune.minimise');
  for (const [metric, most] of Object.entries(checkRecord(tune['limits'] ?? {}, 'tune.limits'))) {
    checkMetric(metric, 'tune.limits');
    checkField(most, inRange({ min: 0 }), `tune.limits.${metric}`);
  }
  checkField(tune['seeds'] ?? DEFAULT_SEEDS, wholeIn(1, SEEDS_MAX), 'tune.seeds');
  checkField(tune['runs'] ?? DEFAULT_RUNS, wholeIn(1, RUNS_MAX), 'tune.runs');
  checkField(tune['seed'] ?? DEFAULT_SEARCH_SEED, wholeIn(0, 2 ** 32 - 1), 'tune.seed');
  const { parameters } = tune;
  if (!Array.isArray(parameters) || parameters.length === 0 || parameters.length > PARAMETERS_MAX)
    reject({ got: parameters, allowed: `a list of 1 to ${PARAMETERS_MAX} parameters`, where: 'tune.parameters' });
  const spec = given as TuneSpec;
  spec.parameters.forEach((parameter, index) => {
    checkField(typeof parameter === 'object' && parameter !== null && 'from' in parameter, oneOf(true),
      `tune.parameters[${index}].from`);
  });
  // Ranges and cases are validated like those of a sweep.
  parseSweep(sweepOf(spec, spec.cases, 'cases'));
  for (const part of ['heldOut', 'against'] as const) {
    const cases = spec[part];
    if (cases !== undefined) parseSweep(sweepOf(spec, cases, part));
  }
  return spec;
}

function sweepOf({ name, base, set = {}, parameters, description }: TuneSpec, cases: Cases, part: string): SweepSpec {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    base,
    set,
    axes: [{ sample: 'random', count: 1, ranges: parameters }, { name: part, cases }],
  };
}
