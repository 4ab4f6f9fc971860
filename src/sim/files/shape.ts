/** Checks data read from a file, member by member. */
import { RoceError } from '../../errors.js';

export type Members = Readonly<Record<string, unknown>>;

export type Kind = 'number' | 'text' | 'text?' | 'number or null' | 'number?' | 'texts?' | 'texts' | 'numbers'
  | 'numbers?' | 'numbers or null' | 'number or null?' | 'true?';
/** Every member of a record has its kind. */
export type Shape<Fields> = { readonly [Name in keyof Required<Fields>]: Kind };

export const KINDS: Readonly<Record<Kind, { readonly words: string; readonly fits: (value: unknown) => boolean }>> = {
  number: { words: 'a number', fits: isNumber },
  text: { words: 'a text', fits: isText },
  'text?': { words: 'a text', fits: (value) => value === undefined || isText(value) },
  'number or null': { words: 'a number or null', fits: (value) => value === null || isNumber(value) },
  'number or null?': {
    words: 'a number or null',
    fits: (value) => value === undefined || value === null || isNumber(value),
  },
  'number?': { words: 'a number', fits: (value) => value === undefined || isNumber(value) },
  texts: { words: 'a list of texts', fits: (value) => isListOf(value, isText) },
  numbers: { words: 'a list of numbers', fits: (value) => isListOf(value, isNumber) },
  'numbers or null': {
    words: 'a list of numbers and nulls',
    fits: (value) => isListOf(value, (item) => item === null || isNumber(item)),
  },
  'numbers?': { words: 'a list of numbers', fits: (value) => value === undefined || isListOf(value, isNumber) },
  'true?': { words: 'true', fits: (value) => value === undefined || value === true },
  'texts?': { words: 'a list of texts', fits: (value) => value === undefined || isListOf(value, isText) },
};

export function checkEach(list: unknown, shape: Readonly<Record<string, Kind>>, where: string): void {
  if (!Array.isArray(list)) throw wrong(where, list, 'a list', where);
  list.forEach((item: unknown, index) => {
    if (!isRecord(item)) throw wrong(`entry ${index}`, item, 'an object', where);
    checkFields(item, shape, `${where}[${index}]`);
  });
}

export function checkFields(fields: Members, shape: Readonly<Record<string, Kind>>, where: string): void {
  for (const [name, kind] of Object.entries(shape)) {
    if (!KINDS[kind].fits(fields[name])) throw wrong(name, fields[name], KINDS[kind].words, where);
  }
}

export function record(parent: Members, name: string, where: string): Members {
  const value = parent[name];
  if (isRecord(value)) return value;
  throw wrong(name, value, 'an object', where);
}

export function wrong(member: string, got: unknown, allowed: string, where: string): RoceError {
  return new RoceError('invalid-argument', { what: `${member} of a result`, got, allowed, where });
}

export function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isListOf(value: unknown, fits: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(fits);
}

export function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

export function isText(value: unknown): boolean {
  return typeof value === 'string';
}
