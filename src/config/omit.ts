/** A copy of an object without some of its fields. */
export function omit<T extends object, Name extends keyof T & string>(object: T,
  ...names: readonly Name[]): Omit<T, Name> {
  const kept = Object.entries(object).filter(([name]) => !(names as readonly string[]).includes(name));
  return Object.fromEntries(kept) as Omit<T, Name>;
}
