/**
 * A small declarative way to check plain-data settings, field by field and by name.
 *
 * A table of rules per settings object; `checkFields` refuses the first thing that is wrong: not an object, an
 * unknown key, a missing or bad field. It changes nothing and fills in nothing.
 */

import { RoceError } from '../errors.js';

/** What a field may hold: a unit and a range for people, and a test. */
export interface FieldRule {
  /** Unit in words; empty for words and flags. */
  readonly unit: string;
  /** The accepted values, in words. */
  readonly allowed: string;
  readonly accepts: (value: unknown) => boolean;
}

/** One rule for each field of T. */
export type FieldRules<T> = { readonly [Field in keyof T]-?: FieldRule };

/** A condition on several fields at once. */
export interface CrossRule<T> {
  /** The field that the error names. */
  readonly field: keyof T & string;
  /** What is wrong, for the error message. */
  readonly what: string;
  readonly allowed: (settings: T) => string;
  readonly holds: (settings: T) => boolean;
}

/** One of some words. */
export function oneOf(...words: readonly string[]): FieldRule {
  const allowed = words.map((word) => `'${word}'`).join(' or ');
  return { unit: '', allowed, accepts: (value) => typeof value === 'string' && words.includes(value) };
}

/** true or false. */
export function flag(): FieldRule {
  return { unit: '', allowed: 'true or false', accepts: (value) => typeof value === 'boolean' };
}

/** A number from `low` to `high`, both included. */
export function numberIn(low: number, high: number, unit: string): FieldRule {
  return { unit, allowed: rangeText('a number', low, high, unit), accepts: (value) => isIn(value, low, high) };
}

/** A whole number from `low` to `high`, both included. */
export function wholeIn(low: number, high: number, unit: string): FieldRule {
  const allowed = rangeText('a whole number', low, high, unit);
  return { unit, allowed, accepts: (value) => Number.isInteger(value) && isIn(value, low, high) };
}

/** A rule that also accepts one value outside of its range. */
export function orValue(value: unknown, rule: FieldRule): FieldRule {
  return {
    ...rule,
    allowed: `${String(value)}, or ${rule.allowed}`,
    accepts: (got) => got === value || rule.accepts(got),
  };
}

/** A number out of a few. */
export function oneOfNumbers(...numbers: readonly number[]): FieldRule {
  return {
    unit: '',
    allowed: numbers.join(' or '),
    accepts: (value) => typeof value === 'number' && numbers.includes(value),
  };
}

/**
 * Checks each field of `value` against its rule.
 *
 * @param name prefix of the place that errors name: `${name}.${field}`.
 * @returns `value`, now of type T.
 * @throws RoceError `invalid-config`
 */
export function checkFields<T extends object>(value: unknown, rules: FieldRules<T>, name: string): T {
  const record = checkRecord(value, name);
  const fields = Object.keys(rules) as (keyof T & string)[];
  for (const key of Object.keys(record)) {
    if (!Object.hasOwn(rules, key)) {
      refuse(`unknown field ${key}`, record[key], `only ${fields.join(', ')}`, `${name}.${key}`);
    }
  }
  for (const field of fields) {
    const rule = rules[field];
    const got = Object.hasOwn(record, field) ? record[field] : undefined;
    if (!rule.accepts(got)) refuse(`bad ${field}`, got, rule.allowed, `${name}.${field}`);
  }
  return value as T;
}

/**
 * Checks conditions between fields, each of which has passed its own rule.
 *
 * @throws RoceError `invalid-config`
 */
export function checkTogether<T extends object>(settings: T, rules: readonly CrossRule<T>[], name: string): T {
  for (const rule of rules) {
    if (!rule.holds(settings)) refuse(rule.what, settings[rule.field], rule.allowed(settings), `${name}.${rule.field}`);
  }
  return settings;
}

/** Is this a plain object with fields? Throws RoceError `invalid-config` when not. */
export function checkRecord(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return refuse('not an object', value, 'an object with fields', name);
}

/** Throws RoceError `invalid-config`. */
export function refuse(what: string, got: unknown, allowed: string, where: string): never {
  throw new RoceError('invalid-config', what, { got, allowed, where });
}

// NaN fails both comparisons.
function isIn(value: unknown, low: number, high: number): boolean {
  return typeof value === 'number' && value >= low && value <= high;
}

function rangeText(kind: string, low: number, high: number, unit: string): string {
  const range = `${kind} from ${low} to ${high}`;
  return unit === '' ? range : `${range}, ${unit}`;
}
