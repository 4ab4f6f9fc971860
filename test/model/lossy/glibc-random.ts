/**
 * `rand()` of glibc. All switches of the second reference draw their paths from one sequence, in the order of their calls.
 *
 *   r(0) = seed; r(i) = 16807 r(i-1) mod (2^31 - 1), i = 1..30; r(i) = r(i-31), i = 31..33
 *   r(i) = r(i-31) + r(i-3) mod 2^32, i >= 34; the k-th number, k = 0, 1, ..: r(k + 344) >> 1
 *
 * Source: docs/specs/reference-lossy.md, section 9.
 */
const WORDS = 31;
const SKIPPED = 344;
const MERSENNE_31 = 2 ** 31 - 1;

export class GlibcRandom {
  /** r of the last 31 indices; that of index i is at i mod 31. */
  readonly #words: Uint32Array;
  #index: number;

  /** @param seed 1 to 2^31 - 1. */
  constructor(seed: number) {
    const first: number[] = [seed];
    for (let i = 1; i < WORDS; i += 1) first.push((16_807 * first[i - 1]) % MERSENNE_31);
    // r(31..33) repeat r(0..2), so these words need no change.
    this.#words = Uint32Array.from(first);
    this.#index = WORDS + 3;
    while (this.#index < SKIPPED) this.#step();
  }

  /** 0 to 2^31 - 1. */
  next(): number {
    return this.#step() >>> 1;
  }

  /** 0 to `count` - 1. */
  below(count: number): number {
    return this.next() % count;
  }

  #step(): number {
    const at = this.#index % WORDS;
    this.#words[at] += this.#words[(this.#index - 3) % WORDS];
    this.#index += 1;
    return this.#words[at];
  }
}
