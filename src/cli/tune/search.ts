/**
 * The search runs generations of CMA-ES, each ranked by successive halving (Jamieson, Talwalkar, "Non-stochastic Best
 * Arm Identification and Hyperparameter Optimization", AISTATS 2016): all candidates run with one seed, the better half
 * with two, and so on. Candidates that survive more rounds rank higher, and the best one has run with all seeds.
 */
import { createInterface } from 'node:readline';
import { RoceError } from '../../errors.js';
import { isDigest } from '../../sweep/digest.js';
import type { SweepRow } from '../../sweep/index.js';
import { planSweep } from '../../sweep/plan.js';
import { runSweep, type SweepExecutor } from '../../sweep/run-sweep.js';
import type { CasesAxis } from '../../sweep/spec.js';
import { describeError } from '../describe-error.js';
import { type Output, writeOut } from '../output.js';
import { printableJson } from '../printable.js';
import { CmaEs, type Point } from './cma-es.js';
import { DEFAULT_RUNS, DEFAULT_SEARCH_SEED, DEFAULT_SEEDS, type Cases, type TuneSpec } from './tune-spec.js';

/** A candidate that ran with all seeds. */
export interface Found {
  readonly point: Point;
  readonly values: ParameterValues;
  readonly score: Score;
}

/** Result of one generation. */
interface Generation {
  readonly candidates: number;
  /** Runs of the search so far. */
  readonly runs: number;
  readonly best: Found;
}

/** Yields generations until the budget of runs is exhausted; at least one. */
export async function* search(trial: Trial): AsyncGenerator<Generation> {
  const { parameters, cases, runs: runsMax = DEFAULT_RUNS, seed = DEFAULT_SEARCH_SEED } = trial.spec;
  const cma = new CmaEs({ dimensions: parameters.length, seed });
  const caseCount = Object.keys(cases).length;
  let [runs, best]: [number, Found | undefined] = [0, undefined];
  for (;;) {
    const points = cma.ask();
    const cost = halvingCost(points.length, seedsOf(trial)) * caseCount;
    if (best !== undefined && runs + cost > runsMax) return;
    const { order, winner } = await halve(points, trial);
    runs += cost;
    if (best === undefined || compareScores(winner.score, best.score) < 0) best = winner;
    cma.tell(order);
    yield { candidates: points.length, runs, best };
  }
}

function seedsOf({ spec }: Trial): number {
  return spec.seeds ?? DEFAULT_SEEDS;
}

/** The rungs of successive halving: number of candidates and seeds of each. */
function rungsOf(count: number, seeds: number): { readonly count: number; readonly seeds: number }[] {
  const rungs = [{ count, seeds: 1 }];
  for (let [left, with_] = [count, 1]; with_ < seeds;) {
    [left, with_] = [Math.max(1, Math.ceil(left / 2)), Math.min(seeds, with_ * 2)];
    rungs.push({ count: left, seeds: with_ });
  }
  return rungs;
}

/** Number of new runs that halving needs per case; each rung reuses those of the one before. */
function halvingCost(count: number, seeds: number): number {
  const rungs = rungsOf(count, seeds);
  return rungs.reduce((sum, rung, at) => sum + rung.count * (rung.seeds - (rungs[at - 1]?.seeds ?? 0)), 0);
}

interface Ranked {
  readonly order: readonly number[];
  readonly winner: Found;
}

async function halve(points: readonly Point[], trial: Trial): Promise<Ranked> {
  const values = points.map((point) => valuesAt(point, trial.spec));
  let left = points.map((_, index) => index);
  const out: number[][] = [];
  let scores = new Map<number, Score>();
  for (const { count, seeds } of rungsOf(points.length, seedsOf(trial))) {
    out.unshift(left.slice(count));
    left = left.slice(0, count);
    const found = await scoresOf(left.map((index) => values[index] ?? {}), trial.spec.cases, seeds, trial);
    scores = new Map(left.map((index, at) => [index, found[at]] as const));
    const known = scores;
    // Ties go to the candidate drawn first.
    left = [...left].sort((a, b) => compareScores(scoreIn(known, a), scoreIn(known, b)) || a - b);
  }
  const order = [...left, ...out.flat()];
  const [first = 0] = order;
  return { order, winner: { point: points[first] ?? [], values: values[first] ?? {}, score: scoreIn(scores, first) } };
}

const NO_SCORE: Score = { violation: Infinity, objective: Infinity, runs: 0 };

function scoreIn(scores: ReadonlyMap<number, Score>, index: number): Score {
  return scores.get(index) ?? NO_SCORE;
}

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

/**
 * Lets an external optimiser drive the search over lines of JSON: we send the parameters, then a score for each line of
 * values.
 *
 *   out  {"parameters":[{"path":…,"from":…,"to":…}],"minimise":"slowdown.p99","seeds":3}
 *   in   {"id":1,"values":{"algorithms.dcqcn.parameters.alphaGain":0.01}}
 *   out  {"id":1,"objective":4.2,"violation":0,"runs":9}
 *
 * An invalid line gets the reply {"id":…,"error":"…"}, and reading continues.
 */
export async function askTell(trial: Trial, input: NodeJS.ReadableStream, output: Output): Promise<void> {
  const { parameters, minimise, cases, seeds = DEFAULT_SEEDS } = trial.spec;
  const say = (message: unknown): Promise<void> =>
    writeOut(output.stdout, `${printableJson(JSON.stringify(message))}\n`);
  await say({ parameters, minimise, seeds });
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    let id: unknown = null;
    try {
      const asked = parseAsked(line, trial);
      id = asked.id;
      const [score] = await scoresOf([asked.values], cases, seeds, trial);
      await say({ id, ...score === undefined ? {} : finite(score) });
    } catch (error) {
      if (!(error instanceof RoceError)) throw error;
      await say({ id, error: describeError(error) });
    }
  }
}

/** Replaces Infinity, which JSON lacks, by null. */
function finite({ objective, violation, runs }: Score): Record<string, number | null> {
  return {
    objective: Number.isFinite(objective) ? objective : null,
    violation: Number.isFinite(violation) ? violation : null,
    runs,
  };
}

function parseAsked(line: string, { spec }: Trial): { readonly id: unknown; readonly values: ParameterValues } {
  let asked: unknown;
  try {
    asked = JSON.parse(line) as unknown;
  } catch (error) {
    throw new RoceError('invalid-argument', { what: 'the line', problem: 'is not JSON', cause: error });
  }
  const { id = null, values } = (asked ?? {}) as { readonly id?: unknown; readonly values?: unknown };
  const known = spec.parameters.map(({ path }) => path);
  const given = typeof values === 'object' && values !== null ? Object.keys(values) : [];
  const odd = given.find((path) => !known.includes(path)) ?? known.find((path) => !given.includes(path));
  if (odd !== undefined || given.length === 0)
    throw new RoceError('invalid-argument', {
      what: 'the values',
      got: values,
      allowed: `a number for each of ${known.join(', ')}`,
    });
  return { id, values: values as ParameterValues };
}
