/**
 * MT19937, the only random generator; the number of draws is part of a run's results.
 *
 *   x(k+624) = x(k+397) ^ ((x(k) & 0x80000000 | x(k+1) & 0x7fffffff) A);   draw = tempered x without its top bit
 *
 * Source: Matsumoto, Nishimura, "Mersenne Twister", ACM TOMACS 8, 1998; the seeding is that of their code of 2002
 * (docs/specs/uet-reference.md, 1).
 */

const WORDS: u32 = 624;
const MIDDLE: u32 = 397;
const DRAW_MAX: u32 = 0x7fffffff;
const DRAW_MAX_F64: f64 = 2147483647;

const state: usize = memory.data(624 << 2, 4);
let nextWord: u32 = WORDS;
/** Number of draws so far. */
export let draws: u64 = 0;

@inline function word(index: u32): u32 {
  return load<u32>(state + (<usize>index << 2));
}

@inline function setWord(index: u32, value: u32): void {
  store<u32>(state + (<usize>index << 2), value);
}

export function seedRandom(seed: u32): void {
  setWord(0, seed);
  for (let i: u32 = 1; i < WORDS; i++) {
    const before = word(i - 1);
    setWord(i, 1812433253 * (before ^ (before >> 30)) + i);
  }
  nextWord = WORDS;
  draws = 0;
}

/** Draws a whole number, 0 to 2^31 - 1. */
export function draw(): u32 {
  if (nextWord == WORDS) refill();
  draws++;
  let value = word(nextWord);
  nextWord++;
  value ^= value >> 11;
  value ^= (value << 7) & 0x9d2c5680;
  value ^= (value << 15) & 0xefc60000;
  return (value ^ (value >> 18)) & DRAW_MAX;
}

/** Draws a fraction, 0 to 1, both included. */
export function fraction(): f64 {
  return <f64>draw() / DRAW_MAX_F64;
}

/** Shuffles a list of addresses in place, with one draw per member. */
export function shuffle(list: usize, length: u32): void {
  for (let rest = length; rest > 0; rest--) {
    const chosen = list + (<usize>(draw() % rest) << 2);
    const last = list + (<usize>(rest - 1) << 2);
    const moved = load<u32>(chosen);
    store<u32>(chosen, load<u32>(last));
    store<u32>(last, moved);
  }
}

function refill(): void {
  for (let i: u32 = 0; i < WORDS; i++) {
    const following = i + 1 == WORDS ? 0 : i + 1;
    const far = i + MIDDLE >= WORDS ? i + MIDDLE - WORDS : i + MIDDLE;
    const mixed = (word(i) & 0x80000000) | (word(following) & DRAW_MAX);
    setWord(i, word(far) ^ (mixed >> 1) ^ (mixed & 1 ? 0x9908b0df : 0));
  }
  nextWord = 0;
}
