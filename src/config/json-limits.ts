/** Limits for untrusted JSON: nesting depth, number of members, and keys that collide with built-in properties. */
import { RoceError, type RoceErrorCode } from '../errors.js';

/** Maximum nesting depth. No valid input has more than ten levels. */
export const JSON_DEPTH_MAX = 64;

/** Maximum number of unclosed brackets: far more than valid input has, and few enough to parse. */
const OPEN_IN_TEXT_MAX = 10_000;
/** Maximum members of one object: more than any valid input has; a million different keys take seconds to parse. */
const MEMBERS_MAX = 65_536;
/** `__proto__` would be ignored; an object whose `toString` or `valueOf` is not a function can't be printed or compared. */
const TAKEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'toString', 'valueOf']);
const [QUOTE, BACKSLASH, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Array.from('"\\:[]{}',
  (character) => character.charCodeAt(0));

/**
 * Rejects an extremely nested text before parsing, which could take gigabytes of memory, and objects with too many members.
 * `requirePlainJson` rejects moderate nesting and can name the place.
 *
 * @throws RoceError of that code.
 */
export function requireShallowText(text: string, code: RoceErrorCode, file: string): void {
  const members = new Uint32Array(OPEN_IN_TEXT_MAX + 1);
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === COLON) requireFewMembers(++members[open], code, file);
    else if (character === CLOSE_LIST || character === CLOSE_OBJECT) open = Math.max(0, open - 1);
    else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      open++;
      if (open > OPEN_IN_TEXT_MAX) throw tooDeep(code, file, open);
      members[open] = 0;
    }
  }
}

function requireFewMembers(got: number, code: RoceErrorCode, where: string): void {
  if (got <= MEMBERS_MAX) return;
  throw new RoceError(code, { what: 'the number of members of one object', allowed: { max: MEMBERS_MAX }, got, where });
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * Rejects values that are nested too deeply, which includes cyclic ones, and keys that collide with built-in properties.
 *
 * @throws RoceError of that code, naming the place.
 */
export function requirePlainJson(root: unknown, code: RoceErrorCode, file: string): void {
  visit(root, []);

  function visit(value: unknown, place: (string | number)[]): void {
    if (typeof value !== 'object' || value === null) return;
    if (place.length === JSON_DEPTH_MAX) throw tooDeep(code, whereOf(file, place), JSON_DEPTH_MAX + 1);
    // No entry pairs and no index strings are made here, as there may be millions of values. Array methods are avoided,
    // because a caller's list may have its own member `forEach`.
    if (Array.isArray(value)) { for (let at = 0; at < value.length; at++) visitMember(value[at], at, place); }
    else {
      for (const key of Object.keys(value)) {
        if (TAKEN_KEYS.has(key)) rejectKey(key, place);
        visitMember((value as Record<string, unknown>)[key], key, place);
      }
    }
  }

  function rejectKey(key: string, place: readonly (string | number)[]): never {
    throw new RoceError(code, { what: `key ${key}`, problem: 'is not allowed', where: whereOf(file, [...place, key]) });
  }

  function visitMember(member: unknown, key: string | number, place: (string | number)[]): void {
    if (typeof member !== 'object' || member === null) return;
    place.push(key);
    visit(member, place);
    place.pop();
  }
}

function tooDeep(code: RoceErrorCode, where: string, got: number): RoceError {
  const allowed = { max: JSON_DEPTH_MAX, unit: 'levels' };
  return new RoceError(code, { what: 'the depth of the JSON', allowed, where, got });
}

function whereOf(file: string, place: readonly (string | number)[]): string {
  return [file, place.filter((key) => key !== '').join('.')].filter((part) => part !== '').join(', ');
}
