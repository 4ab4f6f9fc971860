/**
 * CMA-ES: minimises a function, given only a ranking of candidates.
 *
 *   a generation    x_k = m + sigma B D z_k,  z_k ~ N(0, I),  C = B D^2 B'
 *   mean            m' = sum of w_i x_(i), the better half
 *   step size       p_s' = (1 - c_s) p_s + sqrt(c_s (2 - c_s) mu_eff) C^-1/2 (m' - m) / sigma
 *                   sigma' = sigma exp(c_s / d_s (|p_s'| / E|N(0, I)| - 1))
 *   covariance      p_c' = (1 - c_c) p_c + h sqrt(c_c (2 - c_c) mu_eff) (m' - m) / sigma
 *                   C' = (1 - c_1 - c_mu) C + c_1 p_c' p_c'' + c_mu sum of w_i y_(i) y_(i)',  y = (x - m) / sigma
 *
 * N. Hansen, "The CMA Evolution Strategy: A Tutorial", arXiv:1604.00772, figure 6 and table 1, with positive weights
 * only. Restarts with twice the population: A. Auger, N. Hansen, "A restart CMA evolution strategy with increasing
 * population size", CEC 2005.
 *
 * The space is the unit cube; points outside are mirrored back into it. Deterministic for a given seed.
 */
import { CongestionPointRandom } from '../../reference/cp/random.js';

/** A point of the unit cube. */
export type Point = readonly number[];

/** Options of the search. */
interface CmaOptions {
  readonly dimensions: number;
  readonly seed: number;
  /** Default: the middle of the cube. */
  readonly start?: Point;
  /** Candidates per generation. Default 4 + 3 ln n, as in the tutorial. */
  readonly population?: number;
}

const FIRST_SIGMA = 0.3;
/** The search restarts once candidates differ by less than this in every direction. */
const LEAST_SPREAD = 1e-4;
const LEAST_EIGENVALUE = 1e-20;

/** The search: `ask` returns candidates, `tell` receives their ranking. */
export class CmaEs {
  readonly #n: number;
  readonly #random: CongestionPointRandom;
  readonly #firstPopulation: number;
  #restarts = 0;
  #mean: number[];
  #sigma = FIRST_SIGMA;
  #covariance: number[][];
  #eigen: Eigen;
  #sigmaPath: number[];
  #covariancePath: number[];
  #generation = 0;
  /** The points of the last `ask` as drawn, before they were mirrored into the cube. */
  #drawn: number[][] = [];

  constructor({ dimensions, seed, start, population }: CmaOptions) {
    this.#n = dimensions;
    this.#random = new CongestionPointRandom(seed);
    this.#firstPopulation = population ?? 4 + Math.floor(3 * Math.log(dimensions));
    this.#mean = [...start ?? new Array<number>(dimensions).fill(0.5)];
    this.#covariance = identity(dimensions);
    this.#eigen = eigenOf(this.#covariance);
    this.#sigmaPath = zeros(dimensions);
    this.#covariancePath = zeros(dimensions);
  }

  /** Number of restarts. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Candidates of the next generation. */
  ask(): Point[] {
    const count = this.#firstPopulation * 2 ** this.#restarts;
    this.#drawn = Array.from({ length: count }, () => this.#draw());
    return this.#drawn.map((point) => point.map(mirrored));
  }

  /** @param order indices of the candidates, the best first. */
  tell(order: readonly number[]): void {
    this.#update(order.map((index) => this.#drawn[index]));
    const spread = this.#sigma * Math.sqrt(Math.max(...this.#eigen.values));
    if (spread < LEAST_SPREAD || this.#generation >= this.#generationsMax(order.length)) this.#restart();
  }

  /** Maximum generations before a restart, as in the authors' implementation. */
  #generationsMax(population: number): number {
    return 100 + (150 * (this.#n + 3) ** 2) / Math.sqrt(population);
  }

  #draw(): number[] {
    const { values, vectors } = this.#eigen;
    const scaled = values.map((value) => Math.sqrt(value) * this.#normal());
    return this.#mean.map((middle, row) =>
      middle + this.#sigma * scaled.reduce((sum, part, k) => sum + vectors[row][k] * part, 0)
    );
  }

  /** A normal variate, by Box and Muller. A uniform draw is never 1, so the logarithm is finite. */
  #normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.#random.next()));
    return radius * Math.cos(2 * Math.PI * this.#random.next());
  }

  #update(sorted: readonly (readonly number[])[]): void {
    const n = this.#n;
    const weights = weightsOf(sorted.length);
    const muEff = 1 / weights.reduce((sum, weight) => sum + weight * weight, 0);
    const rates = ratesOf(n, muEff);
    const steps = weights.map((_, at) => sorted[at].map((x, i) => (x - this.#mean[i]) / this.#sigma));
    const step = zeros(n).map((_, i) => weights.reduce((sum, weight, at) => sum + weight * steps[at][i], 0));
    this.#mean = this.#mean.map((x, i) => x + this.#sigma * step[i]);
    this.#generation++;

    const toPath = Math.sqrt(rates.sigma * (2 - rates.sigma) * muEff);
    const whitened = this.#whitened(step);
    this.#sigmaPath = this.#sigmaPath.map((p, i) => (1 - rates.sigma) * p + toPath * whitened[i]);
    const length = Math.sqrt(this.#sigmaPath.reduce((sum, p) => sum + p * p, 0));
    const expected = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    // h_sigma of the tutorial: the covariance path stalls while the step-size path is long, so that C does not grow too
    // fast.
    const decay = Math.sqrt(1 - (1 - rates.sigma) ** (2 * this.#generation));
    const h = length / decay < (1.4 + 2 / (n + 1)) * expected ? 1 : 0;
    const along = h * Math.sqrt(rates.path * (2 - rates.path) * muEff);
    this.#covariancePath = this.#covariancePath.map((p, i) => (1 - rates.path) * p + along * step[i]);
    this.#sigma *= Math.exp(Math.min(1, (rates.sigma / rates.damping) * (length / expected - 1)));
    this.#updateCovariance(steps, weights, rates, h);
  }

  #updateCovariance(steps: readonly (readonly number[])[], weights: readonly number[], { one, mu, path }: Rates,
    h: number): void {
    const p = this.#covariancePath;
    const kept = 1 - one - mu + (1 - h) * one * path * (2 - path);
    this.#covariance = this.#covariance.map((row, i) =>
      row.map((cell, j) => {
        const rank = weights.reduce((sum, weight, at) => sum + weight * steps[at][i] * steps[at][j], 0);
        return kept * cell + one * p[i] * p[j] + mu * rank;
      })
    );
    const { values, vectors } = eigenOf(this.#covariance);
    this.#eigen = { values: values.map((value) => Math.max(LEAST_EIGENVALUE, value)), vectors };
  }

  /** Computes C^-1/2 v. */
  #whitened(v: readonly number[]): number[] {
    const { values, vectors } = this.#eigen;
    const along = values.map((value, k) => v.reduce((sum, x, i) => sum + vectors[i][k] * x, 0) / Math.sqrt(value));
    return v.map((_, i) => along.reduce((sum, part, k) => sum + vectors[i][k] * part, 0));
  }

  #restart(): void {
    this.#restarts++;
    this.#mean = this.#mean.map(() => this.#random.next());
    this.#sigma = FIRST_SIGMA;
    this.#covariance = identity(this.#n);
    this.#eigen = eigenOf(this.#covariance);
    this.#sigmaPath = zeros(this.#n);
    this.#covariancePath = zeros(this.#n);
    this.#generation = 0;
  }
}

interface Rates {
  readonly sigma: number;
  readonly damping: number;
  readonly path: number;
  readonly one: number;
  readonly mu: number;
}

/** Learning rates, from table 1 of the tutorial. */
function ratesOf(n: number, muEff: number): Rates {
  const sigma = (muEff + 2) / (n + muEff + 5);
  const one = 2 / ((n + 1.3) ** 2 + muEff);
  return {
    sigma,
    damping: 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + sigma,
    path: (4 + muEff / n) / (n + 4 + (2 * muEff) / n),
    one,
    mu: Math.min(1 - one, (2 * (muEff - 2 + 1 / muEff)) / ((n + 2) ** 2 + muEff)),
  };
}

/** Weights of the better half of the candidates: decreasing with the logarithm of the rank, sum 1. */
function weightsOf(count: number): number[] {
  const raw = Array.from({ length: Math.floor(count / 2) }, (_, at) => Math.log((count + 1) / 2) - Math.log(at + 1));
  const sum = raw.reduce((total, weight) => total + weight, 0);
  return raw.map((weight) => weight / sum);
}

/** Reflects x into 0 to 1, as by mirrors at both ends. */
export function mirrored(x: number): number {
  const folded = Math.abs(x) % 2;
  return folded > 1 ? 2 - folded : folded;
}

function zeros(n: number): number[] {
  return new Array<number>(n).fill(0);
}

function identity(n: number): number[][] {
  return zeros(n).map((_, row) => zeros(n).map((_cell, column) => (row === column ? 1 : 0)));
}

/** Eigenvalues and vectors of a symmetric matrix. Column k of `vectors[row][k]` is the eigenvector of `values[k]`. */
interface Eigen {
  readonly values: readonly number[];
  readonly vectors: readonly (readonly number[])[];
}

const SWEEPS_MAX = 60;
const TINY = 1e-300;

export function eigenOf(matrix: readonly (readonly number[])[]): Eigen {
  const a = matrix.map((row) => [...row]);
  const size = a.length;
  const vectors = a.map((_, row) => a.map((_cell, column) => (row === column ? 1 : 0)));
  for (let sweep = 0; sweep < SWEEPS_MAX && offDiagonal(a) > TINY; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) rotate(a, vectors, p, q);
    }
  }
  return { values: a.map((row, at) => row[at]), vectors };
}

function offDiagonal(a: readonly (readonly number[])[]): number {
  return a.reduce(
    (sum, row, at) => sum + row.reduce((part, cell, column) => (column > at ? part + cell * cell : part), 0),
    0,
  );
}

/** Rotates so that the element at (p, q) becomes zero. */
function rotate(a: number[][], vectors: number[][], p: number, q: number): void {
  if (a[p][q] === 0) return;
  const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (const row of a) [row[p], row[q]] = [c * row[p] - s * row[q], s * row[p] + c * row[q]];
  for (let k = 0; k < a.length; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
  for (const row of vectors) [row[p], row[q]] = [c * row[p] - s * row[q], s * row[p] + c * row[q]];
}
