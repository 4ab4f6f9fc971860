/**
 * Declarative validation of plain-data settings.
 *
 * Each settings object has a table of rules; `checkFields` rejects the first fault: not an object, an
 * unknown key, a missing or bad field. It neither changes values nor fills in defaults; `resolveOptions` does.
 */
import { showValue } from '../error-text.js';
import { RoceError, type Allowed, type AllowedRange, type AllowedValue, type RoceErrorFields,
  type SettingFault } from '../errors.js';

/** A rule for a field: the allowed values as shown in errors, and the check. */
export interface FieldRule {
  readonly allowed: Allowed;
  readonly accepts: (value: unknown) => boolean;
}

/** One rule for each field of T. */
export type FieldRules<T> = { readonly [Field in keyof T]-?: FieldRule };

/** A condition on several fields at once. */
export interface CrossRule<T> {
  /** The fields involved; errors name the first one. */
  readonly fields: readonly (keyof T & string)[];
  /** The fault, as the predicate of an error message: `must not exceed the maximum rate`. */
  readonly problem: string;
  readonly holds: (settings: T) => boolean;
  /** Machine-readable kind of fault. */
  readonly settingFault?: SettingFault;
}

/** The rule that one number does not exceed another. @param named name of the other one in the message. */
export function notAbove<Key extends string>(low: Key, high: Key,
  named: string): CrossRule<Readonly<Record<Key, number>>> {
  return {
    fields: [low, high],
    problem: `must not exceed ${named}`,
    holds: (settings) => settings[low] <= settings[high],
    settingFault: 'out-of-order',
  };
}

/** Makes the rule that accepts one of a list of values. */
export function oneOf(...values: readonly AllowedValue[]): FieldRule {
  return { allowed: values, accepts: (value) => values.some((one) => isAllowed(one, value)) };
}

/** The rule that accepts any string. */
export const TEXT_RULE: FieldRule = { allowed: 'a text', accepts: (value) => typeof value === 'string' };

/** Makes the rule that accepts a boolean. */
export function flag(): FieldRule {
  return oneOf(true, false);
}

/** Makes the rule that accepts a number from `min` to `max`, both included. */
export function numberIn(min: number, max: number, unit = ''): FieldRule {
  return inRange({ min, max, ...(unit === '' ? {} : { unit }) });
}

/** Makes the rule that accepts a whole number from `min` to `max`, both included. */
export function wholeIn(min: number, max: number, unit = ''): FieldRule {
  return inRange({ min, max, multipleOf: 1, ...(unit === '' ? {} : { unit }) });
}

/** Extends a rule to accept one more value outside of its range. */
export function orValue(value: AllowedValue, { allowed, accepts }: FieldRule): FieldRule {
  const others = typeof allowed === 'string' ? `${showValue(value)}, or ${allowed}` : [value, ...[allowed].flat()];
  return { allowed: others, accepts: (got) => got === value || accepts(got) };
}

/** Makes the rule that accepts a number within a range. */
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
 * @param name name of the object in errors: `where` is `${name}.${field}`.
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

/** Like `checkField`, for a field of the settings object `name`; the error also has `field`. */
export function checkMember(value: unknown, { accepts, allowed }: FieldRule, name: string, field: string): void {
  if (!accepts(value)) reject({ got: value, allowed, where: `${name}.${field}`, field });
}

/** Adds defaults to options, then checks each field. @throws RoceError `invalid-config` for the first bad field. */
export function resolveOptions<T extends object>(options: { readonly [Field in keyof T]?: T[Field] | undefined },
  defaults: T, rules: FieldRules<T>, name: string): T {
  const given = Object.entries(checkRecord(options, name)).filter(([, value]) => value !== undefined);
  return checkFields({ ...defaults, ...Object.fromEntries(given) }, rules, name);
}

/** Throws RoceError `invalid-config` for the first key that is not in `allowed`. */
export function checkKeys(record: object, allowed: readonly string[], name: string): void {
  for (const got of Object.keys(record)) {
    if (allowed.includes(got)) continue;
    const where = `${name}.${got}`;
    reject({ what: `a field of ${name}`, got, allowed, where, field: got, settingFault: 'unknown-key' });
  }
}

/**
 * Checks conditions between fields that are valid individually.
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

/** Checks that a value is a plain object. @throws RoceError `invalid-config` if it is not. */
export function checkRecord(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return reject({ got: value, allowed: 'an object with fields', where: name });
}

/** Throws RoceError `invalid-config`. */
export function reject(fields: RoceErrorFields): never {
  throw new RoceError('invalid-config', fields);
}

/** A copy of an object without some of its fields. */
export function omit<T extends object, Name extends keyof T & string>(object: T,
  ...names: readonly Name[]): Omit<T, Name> {
  const kept = Object.entries(object).filter(([name]) => !(names as readonly string[]).includes(name));
  return Object.fromEntries(kept) as Omit<T, Name>;
}
