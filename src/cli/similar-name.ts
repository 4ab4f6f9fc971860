/** The name that a misspelt one was probably meant to be. */
import { closest, distance } from 'fastest-levenshtein';

/** Edits per character up to which two names are similar. */
const EDITS_SHARE = 0.4;

/** undefined: none is similar. */
export function similarTo(given: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const name = closest(given, names);
  return distance(given, name) <= EDITS_SHARE * Math.max(given.length, name.length) ? name : undefined;
}
