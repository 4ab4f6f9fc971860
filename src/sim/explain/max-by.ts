/** The first of those with the largest measure. */
export function maxBy<T>(values: readonly T[], measure: (value: T) => number): T | undefined {
  return values.reduce<T | undefined>(
    (best, value) => (best !== undefined && measure(best) >= measure(value) ? best : value),
    undefined,
  );
}
