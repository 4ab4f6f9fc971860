/** Where a logarithmic axis has its ticks. */

const STEPS = [1, 2, 5];

/** 1, 2 and 5 of each decade, from `bottom` to `top`. */
export function logSplits(bottom: number, top: number): number[] {
  const first = Math.floor(Math.log10(bottom));
  const count = Math.max(1, Math.ceil(Math.log10(top)) - first + 1);
  const decades = Array.from({ length: count }, (_, index) => 10 ** (first + index));
  return decades.flatMap((decade) => STEPS.map((step) => Number((decade * step).toPrecision(3))))
    .filter((value) => value >= bottom * 0.999 && value <= top);
}
