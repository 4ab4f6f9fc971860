/**
 * The congestion point's random numbers: xoshiro128** in linear memory.
 *
 * Role     uniform f64 in [0, 1), reproducible from a 32-bit seed, the same on every machine and in the model.
 * State    four u32, never all zero.
 * Seeding  four successive outputs of a 32-bit counter mix (odd increment 0x9e3779b9, xor-shift-multiply finish).
 *          The mix is a bijection of the counter, so four successive outputs differ and can't all be zero.
 * Step     result = rotl(s1 * 5, 7) * 9
 *          t = s1 << 9; s2 ^= s0; s3 ^= s1; s1 ^= s2; s0 ^= s3; s2 ^= t; s3 = rotl(s3, 11)
 * Value    result / 2^32, exact in f64: the resolution is 2^-32 (2.3e-10).
 *
 * Source   D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47 (2021).
 * Limits   not for cryptography; period 2^128 - 1.
 */
import { Random } from '../records/congestion-point';

/** 1 / 2^32: scales a u32 to a fraction without rounding. */
const FRACTION: f64 = 1.0 / 4294967296.0;
const SEED_STEP: u32 = 0x9e3779b9;

@inline
function mix(counter: u32): u32 {
  let z = counter;
  z = (z ^ (z >>> 16)) * 0x21f0aaad;
  z = (z ^ (z >>> 15)) * 0x735a2d97;
  return z ^ (z >>> 15);
}

export function seedRandom(random: Random, seed: u32): void {
  random.s0 = mix(seed + SEED_STEP);
  random.s1 = mix(seed + 2 * SEED_STEP);
  random.s2 = mix(seed + 3 * SEED_STEP);
  random.s3 = mix(seed + 4 * SEED_STEP);
}

/** Returns the next number without consuming it. */
@inline
export function peekRandom(random: Random): f64 {
  return <f64>(rotl<u32>(random.s1 * 5, 7) * 9) * FRACTION;
}

export function nextRandom(random: Random): f64 {
  const s1 = random.s1;
  const result = peekRandom(random);
  const s2 = random.s2 ^ random.s0;
  const s3 = random.s3 ^ s1;
  random.s1 = s1 ^ s2;
  random.s0 ^= s3;
  random.s2 = s2 ^ (s1 << 9);
  random.s3 = rotl<u32>(s3, 11);
  return result;
}
