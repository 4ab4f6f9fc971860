/** Guesses which name a misspelt one was meant to be. */
import { closest, distance } from 'fastest-levenshtein';

/** Maximum edits per character between similar names. */
const EDITS_SHARE = 0.4;

/** The most similar name; undefined if none is similar enough. */
export function similarTo(given: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const name = closest(given, names);
  return distance(given, name) <= EDITS_SHARE * Math.max(given.length, name.length) ? name : undefined;
}
