/** Picks some members of a record. */
export function pick<T extends object, Key extends keyof T>(record: T, keys: readonly Key[]): Pick<T, Key> {
  return Object.fromEntries(keys.map((key) => [key, record[key]])) as Pick<T, Key>;
}
