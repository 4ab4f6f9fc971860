/**
 * Random numbers of scenarios, and the initial states of the generators of ns-3, which `reference-lossy` uses.
 *
 * Draws are bit-identical in every JavaScript engine: only + - * /, no Math.log. The generator is the congestion point's,
 * xoshiro128** (src/reference/cp/random.ts).
 *
 * States of ns-3 are jumps of MRG32k3a: its two recurrences of order three as matrices, whose powers skip ahead. BigInt,
 * as products need 64 bits.
 *
 *   x(n) = 1403580 x(n-2) -  810728 x(n-3)  mod m1 = 2^32 -   209
 *   y(n) =  527612 y(n-1) - 1370589 y(n-3)  mod m2 = 2^32 - 22853
 *
 * Source: L'Ecuyer, Simard, Chen, Kelton, "An object-oriented random-number package with many long streams and
 * substreams", Operations Research 50, 2002.
 */
import { CongestionPointRandom } from '../reference/cp/random.js';

const LN_2 = 0.6931471805599453;
const SQRT_HALF = 0.7071067811865476;
/** Highest power of the series: for |s| up to 0.1716, the first omitted term is below 2^-60. */
const LAST_POWER = 23;

/**
 * ln x for normal x > 0: x = m 2^e with m from sqrt(1/2) to sqrt(2), ln m = 2 (s + s^3/3 + s^5/5 + …), s = (m - 1) / (m
 * + 1).
 *
 * Uses only + - * /, so every engine gives the same bits. The error is below 1e-15 relative to max(1, |ln x|).
 */
export function naturalLog(x: number): number {
  let mantissa = x;
  let exponent = 0;
  // Doubling and halving are exact.
  while (mantissa < SQRT_HALF) {
    mantissa *= 2;
    exponent--;
  }
  while (mantissa >= 2 * SQRT_HALF) {
    mantissa /= 2;
    exponent++;
  }
  const s = (mantissa - 1) / (mantissa + 1);
  const square = s * s;
  let sum = 0;
  for (let power = LAST_POWER; power > 0; power -= 2) sum = sum * square + 1 / power;
  return 2 * s * sum + exponent * LN_2;
}

/** A stream of draws. */
export class Draws {
  readonly #random: CongestionPointRandom;

  /** @param seed 0 to 2^32 - 1. */
  constructor(seed: number) {
    this.#random = new CongestionPointRandom(seed);
  }

  /** Uniform in [0, 1), in steps of 2^-32. */
  uniform(): number {
    return this.#random.next();
  }

  /** Uniform integer in [0, limit); limit up to 2^32. */
  below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  /** Exponentially distributed; at most 32 ln 2 = 22 means, as a draw is never below 2^-32. */
  exponential(mean: number): number {
    return -mean * naturalLog(1 - this.#random.next());
  }
}

/** A separate seed for part `index` of a scenario. */
export function seedOf(seed: number, index: number): number {
  const z = Math.imul((seed ^ Math.imul(index + 1, 0x9e3779b1)) | 0, 0x85ebca6b);
  return (z ^ (z >>> 16)) >>> 0;
}

/**
 * Initial states of ns-3's random generators. Streams are 2^127 steps apart, substreams 2^76. Numbered
 * streams begin at 2^63; the first substream is number 1.
 *
 * Source: docs/specs/reference-lossy.md, section 8.
 */
const STREAM_STEPS = 2n ** 127n;
const SUBSTREAM_STEPS = 2n ** 76n;
const FIRST_NUMBERED_STREAM = 2n ** 63n;

/** State of the generator of a numbered stream: x oldest first, then y. @param seed 0 to 2^32 - 1. */
export function streamState(seed: number, stream: number): readonly bigint[] {
  const { x, y } = jumpedState(seed, (FIRST_NUMBERED_STREAM + BigInt(stream)) * STREAM_STEPS + SUBSTREAM_STEPS);
  return [...x, ...y].map(BigInt);
}

export type Vector = readonly bigint[];
export type Matrix = readonly Vector[];

export interface Recurrence {
  readonly modulus: bigint;
  /** One step: maps (n-3, n-2, n-1) to (n-2, n-1, n). */
  readonly step: Matrix;
}

export const M1 = 4_294_967_087n;
export const M2 = 4_294_944_443n;
export const X: Recurrence = { modulus: M1, step: [[0n, 1n, 0n], [0n, 0n, 1n], [M1 - 810_728n, 1_403_580n, 0n]] };
export const Y: Recurrence = { modulus: M2, step: [[0n, 1n, 0n], [0n, 0n, 1n], [M2 - 1_370_589n, 0n, 527_612n]] };

/** The state `steps` steps after the initial one, whose six words all equal the seed. */
export function jumpedState(seed: number, steps: bigint): { readonly x: number[]; readonly y: number[] } {
  const words = Array<bigint>(3).fill(seedWord(seed));
  const jumped = (recurrence: Recurrence): number[] =>
    applied(recurrence, power(recurrence, recurrence.step, steps), words).map(Number);
  return { x: jumped(X), y: jumped(Y) };
}

/** Converts a seed to a word of both recurrences, 1 to m2 - 1. Only 0 and the largest seeds change: they wrap around. */
export function seedWord(seed: number): bigint {
  const range = M2 - 1n;
  return ((BigInt(seed) - 1n + range) % range) + 1n;
}

export function applied({ modulus }: Recurrence, matrix: Matrix, vector: Vector): Vector {
  return matrix.map((row) => row.reduce((sum, factor, at) => sum + factor * vector[at], 0n) % modulus);
}

function product(recurrence: Recurrence, a: Matrix, b: Matrix): Matrix {
  const columns = b.map((_, column) => applied(recurrence, a, b.map((row) => row[column])));
  return a.map((_, row) => columns.map((column) => column[row]));
}

/** matrix ^ (2 ^ times) */
export function squared(recurrence: Recurrence, matrix: Matrix, times: number): Matrix {
  let result = matrix;
  for (let i = 0; i < times; i += 1) result = product(recurrence, result, result);
  return result;
}

export function power(recurrence: Recurrence, matrix: Matrix, exponent: bigint): Matrix {
  let result: Matrix = [[1n, 0n, 0n], [0n, 1n, 0n], [0n, 0n, 1n]];
  for (let left = exponent, square = matrix; left > 0n; left >>= 1n) {
    if (left & 1n) result = product(recurrence, result, square);
    square = product(recurrence, square, square);
  }
  return result;
}
