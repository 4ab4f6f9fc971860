/**
 * The congestion point's random numbers: xoshiro128** (Blackman and Vigna, ACM TOMS 47, 2021) on four 32-bit words,
 * seeded from one 32-bit number through a counter mix. The same numbers as `assembly/cp/random.ts`, bit for bit.
 */

const SEED_STEP = 0x9e3779b9;

/** A bijection on 32 bits: four different counters give four different words, so the state is never all zero. */
function mix(counter: number): number {
  let z = counter | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return z ^ (z >>> 15);
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** Uniform numbers in [0, 1) with a resolution of 2^-32. Not for cryptography. */
export class CongestionPointRandom {
  #s0: number;
  #s1: number;
  #s2: number;
  #s3: number;

  constructor(seed: number) {
    this.#s0 = mix(seed + SEED_STEP);
    this.#s1 = mix(seed + 2 * SEED_STEP);
    this.#s2 = mix(seed + 3 * SEED_STEP);
    this.#s3 = mix(seed + 4 * SEED_STEP);
  }

  next(): number {
    const s1 = this.#s1;
    const result = Math.imul(rotateLeft(Math.imul(s1, 5), 7), 9);
    const s2 = this.#s2 ^ this.#s0;
    const s3 = this.#s3 ^ s1;
    this.#s1 = s1 ^ s2;
    this.#s0 ^= s3;
    this.#s2 = s2 ^ (s1 << 9);
    this.#s3 = rotateLeft(s3, 11);
    return (result >>> 0) / 4294967296;
  }
}
