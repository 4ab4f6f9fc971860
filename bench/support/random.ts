/** Reproducible randomness for workloads: mulberry32, and a Zipf sampler on top of it. */

/** Whole numbers 0..2^32-1. */
export type Random = () => number;

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state, equal on every machine. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Draws 0..n-1, each equally often. */
export function uniform(n: number, random: Random): () => number {
  return () => random() % n;
}

/** Draws 0..n-1 by Zipf's law with exponent 1; which number is the frequent one is shuffled. */
export function zipf(n: number, random: Random): () => number {
  const cumulated = new Float64Array(n);
  let sum = 0;
  for (let i = 0; i < n; i++) cumulated[i] = sum += 1 / (i + 1);
  const order = shuffled(n, random);
  return () => {
    const wanted = (random() / 2 ** 32) * sum;
    let low = 0;
    let high = n - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulated[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return order[low] ?? 0;
  };
}

/** 0..n-1 in random order (Fisher and Yates). */
export function shuffled(n: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = random() % (i + 1);
    const other = order[j] ?? 0;
    order[j] = order[i] ?? 0;
    order[i] = other;
  }
  return order;
}
