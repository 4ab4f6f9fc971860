/**
 * Parses numbers of SimAI's workload text: whole numbers, which Python generators may write as `8388608.0` or `1e6`.
 */
const PATTERN = /^\d{1,16}(?:\.\d{0,16})?(?:[eE]\+?\d{1,2})?$/;

/** Parses a number without a sign; undefined if it is not one, or above `max`. */
export function plainNumber(text: string | undefined, max: number): number | undefined {
  const value = text !== undefined && PATTERN.test(text) ? Number(text) : NaN;
  return value <= max ? value : undefined;
}

/** Parses a whole number in any of these notations; undefined if it is not one. */
export function plainWhole(text: string | undefined, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const value = plainNumber(text, max);
  return value !== undefined && Number.isInteger(value) ? value : undefined;
}
