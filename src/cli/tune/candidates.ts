/** Candidates: points of the unit cube as parameter values, and their scores on cases and seeds. */
import { isDigest } from '../../sweep/digest.js';
import { planSweep } from '../../sweep/plan.js';
import { runSweep, type SweepExecutor } from '../../sweep/run-sweep.js';
import type { SweepRow } from '../../sweep/index.js';
import type { CasesAxis } from '../../sweep/spec.js';
import type { Point } from './cma-es.js';
import type { Cases, TuneSpec } from './tune-spec.js';

/** Values by the path of each parameter. */
export type ParameterValues = Readonly<Record<string, unknown>>;

/** The score of a candidate. */
export interface Score {
  /** Sum of the excess over limits, each relative to its limit; Infinity: a run failed. */
  readonly violation: number;
  /** Geometric mean of the metric over all runs; Infinity: no run has it. */
  readonly objective: number;
  /** Number of runs behind the score. */
  readonly runs: number;
}

const DIGITS = 6;

/** Rounded to six digits, so that what is printed is what was run. */
export function valuesAt(point: Point, { parameters }: TuneSpec): ParameterValues {
  return Object.fromEntries(parameters.map(({ path, from, to, scale, whole }, index) => {
    const share = point[index] ?? 0;
    const value = scale === 'log' ? from * (to / from) ** share : from + (to - from) * share;
    return [path, whole === true ? Math.round(value) : Number(value.toPrecision(DIGITS))];
  }));
}

/** The runs: scenario, cases and runner. */
export interface Trial {
  readonly spec: TuneSpec;
  /** The scenario, as read from its file. */
  readonly base: unknown;
  readonly execute: SweepExecutor;
  readonly atOnce: number;
  readonly signal: AbortSignal;
}

/** Scores of candidates on cases and the first N seeds. @throws the signal's reason when it was cancelled. */
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

/** Candidates within the limits come first, then those that exceed them least; ties are ordered by the objective. */
export function compareScores(a: Score, b: Score): number {
  if (a.violation !== b.violation) return a.violation < b.violation ? -1 : 1;
  return a.objective === b.objective ? 0 : a.objective < b.objective ? -1 : 1;
}
