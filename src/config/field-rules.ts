/**
 * A small declarative way to check plain-data settings, field by field and by name.
 *
 * A table of rules per settings object; `checkFields` rejects the first fault: not an object, an
 * unknown key, a missing or bad field. It changes nothing and fills in nothing.
 */

import { showValue } from '../error-text.js';
import { RoceError, type Allowed, type AllowedRange, type AllowedValue, type RoceErrorFields,
  type SettingFault } from '../errors.js';

/** Allowed content of a field: values or words for people, and a test. */
export interface FieldRule {
  readonly allowed: Allowed;
  readonly accepts: (value: unknown) => boolean;
}

/** One rule for each field of T. */
export type FieldRules<T> = { readonly [Field in keyof T]-?: FieldRule };

/** A condition on several fields at once. */
export interface CrossRule<T> {
  /** The fields that may disagree, the one at fault first. */
  readonly fields: readonly (keyof T & string)[];
  /** The first fault, as a predicate: `must not exceed the maximum rate`. */
  readonly problem: string;
  readonly holds: (settings: T) => boolean;
  /** A kind of fault that programs handle. */
  readonly settingFault?: SettingFault;
}

/** The rule that one number is at most another. @param named the other one, as the message names it. */
export function notAbove<Key extends string>(low: Key, high: Key,
  named: string): CrossRule<Readonly<Record<Key, number>>> {
  return {
    fields: [low, high],
    problem: `must not exceed ${named}`,
    holds: (settings) => settings[low] <= settings[high],
    settingFault: 'out-of-order',
  };
}

/** Any one of some values. */
export function oneOf(...values: readonly AllowedValue[]): FieldRule {
  return { allowed: values, accepts: (value) => values.some((one) => isAllowed(one, value)) };
}

/** A string. */
export const TEXT_RULE: FieldRule = { allowed: 'a text', accepts: (value) => typeof value === 'string' };

/** true or false. */
export function flag(): FieldRule {
  return oneOf(true, false);
}

/** A number from `min` to `max`, both included. */
export function numberIn(min: number, max: number, unit = ''): FieldRule {
  return inRange({ min, max, ...(unit === '' ? {} : { unit }) });
}

/** A whole number from `min` to `max`, both included. */
export function wholeIn(min: number, max: number, unit = ''): FieldRule {
  return inRange({ min, max, multipleOf: 1, ...(unit === '' ? {} : { unit }) });
}

/** A rule that also accepts one value outside of its range. */
export function orValue(value: AllowedValue, { allowed, accepts }: FieldRule): FieldRule {
  const others = typeof allowed === 'string' ? `${showValue(value)}, or ${allowed}` : [value, ...[allowed].flat()];
  return { allowed: others, accepts: (got) => got === value || accepts(got) };
}

/** A number of a range. */
export function inRange(range: AllowedRange): FieldRule {
  return { allowed: range, accepts: (value) => isAllowed(range, value) };
}

// NaN fails both comparisons.
function isAllowed(allowed: AllowedValue, value: unknown): boolean {
  if (typeof allowed !== 'object' || allowed === null) return value === allowed;
  const { min = -Infinity, max = Infinity, above, below, multipleOf } = allowed;
  return typeof value === 'number' && value >= min && value <= max && !(above !== undefined && value <= above) &&
    !(below !== undefined && value >= below) && (multipleOf === undefined || Number.isInteger(value / multipleOf));
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
  checkKeys(record, fields, name);
  for (const field of fields) {
    checkMember(Object.hasOwn(record, field) ? record[field] : undefined, rules[field], name, field);
  }
  return value as T;
}

/** Throws RoceError `invalid-config` unless `value` follows the rule. */
export function checkField(value: unknown, { accepts, allowed }: FieldRule, where: string): void {
  if (!accepts(value)) reject({ got: value, allowed, where });
}

/** The same for a field of the settings object `name`; the error also has the field. */
export function checkMember(value: unknown, { accepts, allowed }: FieldRule, name: string, field: string): void {
  if (!accepts(value)) reject({ got: value, allowed, where: `${name}.${field}`, field });
}

/** Throws RoceError `invalid-config` for the first key that is none of `allowed`. */
export function checkKeys(record: object, allowed: readonly string[], name: string): void {
  for (const got of Object.keys(record)) {
    if (allowed.includes(got)) continue;
    const where = `${name}.${got}`;
    reject({ what: `a field of ${name}`, got, allowed, where, field: got, settingFault: 'unknown-key' });
  }
}

/**
 * Checks conditions between fields, each of which has passed its own rule.
 *
 * @throws RoceError `invalid-config`
 */
export function checkTogether<T extends object>(settings: T, rules: readonly CrossRule<T>[], name: string): T {
  for (const { fields, problem, holds, settingFault } of rules) {
    if (holds(settings)) continue;
    const got = Object.fromEntries(fields.map((field) => [field, settings[field]]));
    reject({ problem, got, where: `${name}.${fields[0]}`, field: fields[0], settingFault });
  }
  return settings;
}

/** Checks that this is a plain object with fields. @throws RoceError `invalid-config` when not. */
export function checkRecord(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return reject({ got: value, allowed: 'an object with fields', where: name });
}

/** Throws RoceError `invalid-config`. */
export function reject(fields: RoceErrorFields): never {
  throw new RoceError('invalid-config', fields);
}
