/** Ticks of a logarithmic axis. */

const STEPS = [1, 2, 5];

/** 1, 2 and 5 of each decade, from `bottom` to `top`. */
export function logSplits(bottom: number, top: number): number[] {
  const first = Math.floor(Math.log10(bottom));
  const count = Math.max(1, Math.ceil(Math.log10(top)) - first + 1);
  const decades = Array.from({ length: count }, (_, index) => 10 ** (first + index));
  return decades.flatMap((decade) => STEPS.map((step) => Number((decade * step).toPrecision(3))))
    .filter((value) => value >= bottom * 0.999 && value <= top);
}

export interface LogAxis {
  /** Ticks, at powers of ten. */
  readonly ticks: readonly number[];
  readonly placeOf: (value: number) => number;
}

/**
 * An axis of whole decades that includes all values. If they are all the same power of ten, it is in the middle.
 *
 * @param from, to positions of the axis's ends, pixels.
 */
export function logAxis(values: readonly number[], from: number, to: number): LogAxis {
  const least = values.reduce((low, value) => Math.min(low, value), Infinity);
  const most = values.reduce((high, value) => Math.max(high, value), 0);
  const decade = 10 ** Math.floor(Math.log10(least) + 1e-9);
  const low = most > decade * (1 + 1e-9) ? decade : decade / 10;
  const high = Math.max(10 * decade, 10 ** Math.ceil(Math.log10(most) - 1e-9));
  const span = Math.log10(high / low);
  const ticks = Array.from({ length: Math.round(span) + 1 }, (_, step) => low * 10 ** step);
  return { ticks, placeOf: (value) => from + ((to - from) * Math.log10(value / low)) / span };
}
