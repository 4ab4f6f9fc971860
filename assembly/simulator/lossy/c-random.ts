/**
 * The C library's `rand()`, which the reference simulator's load balancers use: one sequence for all switches.
 *
 *   r(0) = seed;  r(i) = 16807 r(i-1) mod 2^31 - 1, i = 1..30;  r(i) = r(i-31), i = 31..33;
 *   r(i) = r(i-31) + r(i-3) mod 2^32, i >= 34;  value k = r(k+344) >> 1
 *
 * Source: docs/specs/reference-lossy.md, section 9; rand_seed*.csv of test/golden.
 */

const SIZE: u32 = 34;
const WARM_UP: u32 = 344;
const MODULUS: i64 = 2147483647;
const FACTOR: i64 = 16807;

/** The last 34 values; value n is at index n modulo 34. */
const ring: usize = memory.data(136);
let next: u32 = 0;

export function beginCRandom(seed: u32): void {
  // 0 counts as 1 in the C library.
  let value = seed ? <i64><i32>seed : 1;
  store<u32>(ring, <u32>value);
  for (let i: u32 = 1; i < 31; i++) {
    value = (FACTOR * value) % MODULUS;
    if (value < 0) value += MODULUS;
    store<u32>(ring + (<usize>i << 2), <u32>value);
  }
  for (let i: u32 = 31; i < SIZE; i++) store<u32>(ring + (<usize>i << 2), load<u32>(ring + (<usize>(i - 31) << 2)));
  next = SIZE;
  while (next < WARM_UP) nextWord();
}

/** The next value, 0 to 2^31 - 1. */
@inline export function cRandom(): u32 {
  return nextWord() >> 1;
}

function nextWord(): u32 {
  const word = load<u32>(placeOf(next - 31)) + load<u32>(placeOf(next - 3));
  store<u32>(placeOf(next++), word);
  return word;
}

@inline function placeOf(number: u32): usize {
  return ring + (<usize>(number % SIZE) << 2);
}
