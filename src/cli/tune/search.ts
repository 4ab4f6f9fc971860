/**
 * The search runs generations of CMA-ES, each ranked by successive halving (Jamieson, Talwalkar, "Non-stochastic Best
 * Arm Identification and Hyperparameter Optimization", AISTATS 2016): all candidates run with one seed, the better half
 * with two, and so on. Candidates that survive more rounds rank higher, and the best one has run with all seeds.
 */
import { compareScores, scoresOf, valuesAt, type ParameterValues, type Score, type Trial } from './candidates.js';
import { CmaEs, type Point } from './cma-es.js';
import { DEFAULT_RUNS, DEFAULT_SEARCH_SEED, DEFAULT_SEEDS } from './tune-spec.js';

/** A candidate that ran with all seeds. */
export interface Found {
  readonly point: Point;
  readonly values: ParameterValues;
  readonly score: Score;
}

/** Result of one generation. */
export interface Generation {
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
