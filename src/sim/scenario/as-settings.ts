/** Converts settings that may be given as true or false to an object: false becomes `{ enabled: false }`. */
export function asSettings<Settings extends { readonly enabled?: boolean }>(
  given: Settings | boolean | undefined,
): Settings | undefined {
  return typeof given === 'boolean' ? { enabled: given } as Settings : given;
}
