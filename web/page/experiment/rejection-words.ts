/** Words a rejection in the terms of the form, and guesses the intended key if one is misspelt. */
import { shortNumber, unitOfKey, wordsOfKey } from '../../../src/view/format.js';
import type { Rejection } from '../../protocol/run-protocol.js';
import { stepsOf } from './json-place.js';
import { isObject, parseJson, pathText, valueAt } from './scenario-edit.js';

/** Maximum number of wrong letters in a misspelt key. */
const MISSPELT_MAX = 2;

/** @param text that was rejected. @returns the rejection, moved to the key that must change. */
export function explained(rejection: Rejection, text: string): Rejection {
  const { fault, where } = rejection;
  if (fault?.kind === 'out-of-order') {
    const values = Object.entries(fault.got as Readonly<Record<string, number>>);
    return { ...rejection, message: `${values.map(withUnit).join(' exceeds ')}.` };
  }
  if (fault?.kind === 'missing-key') return misspeltIn(rejection, text) ?? rejection;
  const key = keyOf(where);
  const near = fault && nearest(key, [fault.allowed].flat() as readonly string[]);
  return near === undefined ?
    rejection :
    { ...rejection, message: `"${key}" is not a known key: did you mean "${near}"?` };
}

function withUnit([key, value]: readonly [string, number]): string {
  const { name, size } = unitOfKey(key);
  return `${wordsOfKey(key)} (${`${shortNumber(value / size)} ${name}`.trim()})`;
}

/** The rejection for a key next to the missing one with almost the same spelling; undefined if there is none. */
function misspeltIn(rejection: Rejection, text: string): Rejection | undefined {
  const steps = stepsOf(rejection.where);
  const key = keyOf(rejection.where);
  const parent = valueAt(parseJson(text), steps.slice(0, -1));
  if (!isObject(parent)) return undefined;
  const near = nearest(key, Object.keys(parent));
  if (near === undefined) return undefined;
  return {
    ...rejection,
    where: pathText([...steps.slice(0, -1), near]),
    message: `"${near}" is not a known key: did you mean "${key}"?`,
  };
}

const keyOf = (where: string): string => String(stepsOf(where).at(-1) ?? '');

function nearest(word: string, words: readonly string[]): string | undefined {
  let [found, least]: [string | undefined, number] = [undefined, Math.min(MISSPELT_MAX, word.length / 2) + 1];
  for (const other of words) {
    const distance = editDistance(word.toLowerCase(), other.toLowerCase());
    if (other !== word && distance < least) [found, least] = [other, distance];
  }
  return found;
}

/** Letters to insert, remove or replace (Levenshtein). */
function editDistance(one: string, other: string): number {
  const row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at++) {
    let diagonal = at;
    row[0] = at + 1;
    for (let end = 1; end <= other.length; end++) {
      const above = row[end] ?? 0;
      const replaced = diagonal + Number(one[at] !== other[end - 1]);
      row[end] = Math.min(replaced, above + 1, (row[end - 1] ?? 0) + 1);
      diagonal = above;
    }
  }
  return row.at(-1) ?? 0;
}
