/** What JSON from outside may look like: not deeper than anything here is, and without names that objects use themselves. */
import { RoceError, type RoceErrorCode } from '../errors.js';

/** Objects and lists within each other. Nothing that is read has more than ten. */
export const JSON_DEPTH_MAX = 64;

interface Place {
  readonly value: object;
  readonly key: string;
  readonly above: Place | undefined;
  readonly depth: number;
}

/**
 * Refuses what is nested too deep, and a key `__proto__`, which would be passed over. Values that hold themselves are
 * nested without end.
 *
 * @throws RoceError of that code, naming the place.
 */
export function requirePlainJson(root: unknown, code: RoceErrorCode, file: string): void {
  const open: Place[] = [];
  const visit = (value: unknown, key: string, above: Place | undefined): void => {
    if (typeof value !== 'object' || value === null) return;
    const place = { value, key, above, depth: (above?.depth ?? 0) + 1 };
    if (place.depth > JSON_DEPTH_MAX) {
      const allowed = { max: JSON_DEPTH_MAX, unit: 'levels' };
      throw new RoceError(code, {
        what: 'the depth of the JSON',
        got: place.depth,
        allowed,
        where: whereOf(file, place),
      });
    }
    open.push(place);
  };
  visit(root, '', undefined);
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (Object.hasOwn(place.value, '__proto__')) {
      const where = whereOf(file, { value: {}, key: '__proto__', above: place, depth: 0 });
      throw new RoceError(code, { what: 'key __proto__', problem: 'is not allowed', where });
    }
    for (const [key, value] of Object.entries(place.value)) visit(value, key, place);
  }
}

function whereOf(file: string, place: Place): string {
  const keys: string[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.above) if (at.key !== '') keys.unshift(at.key);
  return [file, keys.join('.')].filter((part) => part !== '').join(', ');
}
