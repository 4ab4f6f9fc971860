/** Settings that may be given as true or false, as an object: false is `{ enabled: false }`. */
export function asSettings<Settings extends { readonly enabled?: boolean }>(
  given: Settings | boolean | undefined,
): Settings | undefined {
  return typeof given === 'boolean' ? { enabled: given } as Settings : given;
}
