/**
 * Runs variants of the same work round-robin in one process, so that what disturbs the machine disturbs all
 * of them: ratios within a round are steadier than any absolute time. The order rotates from round to round.
 */

/** One way to do a case's work. */
export interface Variant {
  readonly name: string;
  /** Puts everything back to the start; not timed. */
  reset(): void;
  /** Does all the work once and returns its duration, milliseconds; the implementation decides what it times. */
  pass(): number;
}

/** The same work in several variants. */
export interface BenchCase {
  /** Sizes and workload, such as `mix 64k uniform`. */
  readonly title: string;
  /** Unit of the count: `event`, `lookup`, `packet`. */
  readonly unit: string;
  /** Number of them in one pass. */
  readonly units: number;
  /** Name of the variant that ratios refer to; the first variant when this one is missing. */
  readonly base: string;
  readonly variants: readonly Variant[];
  /** Throws when variants disagree about the result. */
  check?(): void;
}

/** Times of one variant, nanoseconds per unit, and ratios to the base variant of the same round. */
export interface VariantResult {
  readonly name: string;
  readonly medianNs: number;
  readonly minNs: number;
  readonly millionsPerSecond: number;
  readonly ratio: number;
  /** Half of the rounds lie between these two ratios. */
  readonly ratioLow: number;
  readonly ratioHigh: number;
  /** Nanoseconds per unit, round by round. */
  readonly timesNs: readonly number[];
}

export interface CaseResult {
  readonly title: string;
  readonly unit: string;
  readonly units: number;
  readonly rounds: number;
  readonly base: string;
  readonly variants: readonly VariantResult[];
}

/** Measures a case. Two rounds before the first one warm up and are thrown away. */
export function interleave(benchCase: BenchCase, rounds: number, warmUps = 2): CaseResult {
  const { variants, units } = benchCase;
  const times = new Map<string, number[]>(variants.map((variant) => [variant.name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    for (const variant of rotated(variants, round + warmUps)) {
      variant.reset();
      const ns = (variant.pass() * 1e6) / units;
      if (round >= 0) times.get(variant.name)?.push(ns);
    }
  }
  const base = times.has(benchCase.base) ? benchCase.base : (variants[0]?.name ?? '');
  const baseTimes = times.get(base) ?? [];
  return {
    title: benchCase.title,
    unit: benchCase.unit,
    units,
    rounds,
    base,
    variants: variants.map((variant) => summarise(variant.name, times.get(variant.name) ?? [], baseTimes)),
  };
}

/** Median over the rounds of (variant / other) in the same round; NaN when one of them is missing. */
export function ratioOf(result: CaseResult, variant: string, other: string): number {
  const timesOf = (name: string): readonly number[] => result.variants.find((one) => one.name === name)?.timesNs ?? [];
  const others = timesOf(other);
  return quantile(timesOf(variant).map((time, round) => time / (others[round] ?? NaN)), 0.5);
}

function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const first = by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

function summarise(name: string, times: readonly number[], baseTimes: readonly number[]): VariantResult {
  const ratios = times.map((time, round) => time / (baseTimes[round] ?? NaN));
  const medianNs = quantile(times, 0.5);
  return {
    name,
    medianNs,
    minNs: Math.min(...times),
    millionsPerSecond: 1e3 / medianNs,
    ratio: quantile(ratios, 0.5),
    ratioLow: quantile(ratios, 0.25),
    ratioHigh: quantile(ratios, 0.75),
    timesNs: times,
  };
}

/** The value that this part of the values, 0..1, does not exceed (nearest rank). */
function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * part)] ?? NaN;
}
