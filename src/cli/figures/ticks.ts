/** Ticks of a linear axis. */

const STEPS = [1, 2, 5, 10];

/** Multiples of 1, 2 or 5 times a power of ten, from `low` to `high`, approximately `count` of them. */
export function linearTicks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((factor) => factor * power >= rough) ?? 1) * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}
