/** The value with the largest measure; the first of equal ones. */
export function maxBy<T>(values: readonly T[], measure: (value: T) => number): T | undefined {
  return values.reduce<T | undefined>(
    (best, value) => (best !== undefined && measure(best) >= measure(value) ? best : value),
    undefined,
  );
}
