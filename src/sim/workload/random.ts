/**
 * Random draws that are bit-identical in every JavaScript engine: only + - * /, no Math.log.
 *
 * The generator is the congestion point's, xoshiro128** (src/reference/cp/random.ts).
 */
import { CongestionPointRandom } from '../../reference/cp/random.js';

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
