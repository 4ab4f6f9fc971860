/** Candidates of a search: converts points of the unit cube to parameter values, and scores them on cases and seeds. */
import { isDigest } from '../../sweep/digest.js';
import { planSweep } from '../../sweep/plan.js';
import { runSweep, type SweepExecutor } from '../../sweep/run-sweep.js';
import type { SweepRow } from '../../sweep/index.js';
import type { CasesAxis } from '../../sweep/spec.js';
import type { Point } from './cma-es.js';
import type { Cases, TuneSpec } from './tune-spec.js';

/** Parameter values, by path. */
export type ParameterValues = Readonly<Record<string, unknown>>;

/** The score of a candidate. */
export interface Score {
  /** Sum of relative excesses over the limits; Infinity if a run failed. */
  readonly violation: number;
  /** Geometric mean of the metric over all runs; Infinity if a run lacks it. */
  readonly objective: number;
  /** Number of runs behind the score. */
  readonly runs: number;
}

const DIGITS = 6;

/** Parameter values at a point, rounded to six digits so that the printed values are exactly those that ran. */
export function valuesAt(point: Point, { parameters }: TuneSpec): ParameterValues {
  return Object.fromEntries(parameters.map(({ path, from, to, scale, whole }, index) => {
    const share = point[index] ?? 0;
    const value = scale === 'log' ? from * (to / from) ** share : from + (to - from) * share;
    return [path, whole === true ? Math.round(value) : Number(value.toPrecision(DIGITS))];
  }));
}

/** Everything that is needed to score candidates. */
export interface Trial {
  readonly spec: TuneSpec;
  /** The scenario, as read from its file. */
  readonly base: unknown;
  readonly execute: SweepExecutor;
  readonly atOnce: number;
  readonly signal: AbortSignal;
}

/** Scores candidates on cases and the first N seeds. @throws the signal's reason if it was cancelled. */
export async function scoresOf(candidates: readonly ParameterValues[], cases: Cases, seeds: number,
  trial: Trial): Promise<Score[]> {
  const { spec, base, execute, atOnce, signal } = trial;
  const limits = { flowsUnfinished: 0, ...spec.limits };
  const plan = planSweep({
    name: spec.name,
    base,
    set: spec.set ?? {},
    axes: [
      named('candidate', Object.fromEntries(candidates.map((values, index) => [String(index), values]))),
      named('case', cases),
    ],
    seeds,
    metrics: [...new Set([spec.minimise, ...Object.keys(limits)])],
    runsMax: 1_000_000,
  }, base);
  const rows: SweepRow[][] = candidates.map(() => []);
  for await (const row of runSweep(plan, { execute, atOnce, signal })) {
    rows[Number(row.run.values[0])]?.push(row);
  }
  signal.throwIfAborted();
  return rows.map((ofOne) => scoreOf(ofOne, spec.minimise, limits));
}

function named(name: string, cases: Cases): CasesAxis {
  return { name, cases };
}

function scoreOf(rows: readonly SweepRow[], minimise: string, limits: Readonly<Record<string, number>>): Score {
  let [violation, logSum] = [0, 0];
  for (const { outcome } of rows) {
    if (!isDigest(outcome)) return { violation: Infinity, objective: Infinity, runs: rows.length };
    for (const [metric, most] of Object.entries(limits)) {
      violation += Math.max(0, (outcome.metrics[metric] ?? 0) - most) / Math.max(1, most);
    }
    logSum += Math.log(outcome.metrics[minimise] ?? Infinity);
  }
  return { violation, objective: Math.exp(logSum / rows.length), runs: rows.length };
}

/** Orders scores: within the limits first, then by smallest excess; ties by the objective. */
export function compareScores(a: Score, b: Score): number {
  if (a.violation !== b.violation) return a.violation < b.violation ? -1 : 1;
  return a.objective === b.objective ? 0 : a.objective < b.objective ? -1 : 1;
}
