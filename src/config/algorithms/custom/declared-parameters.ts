/** Validation and defaults of declared parameters. */
import { CUSTOM_PARAMETER_COUNT_MAX } from '../../../abi/custom-layout.js';
import { checkField, checkKeys, checkRecord, type FieldRule, inRange, oneOf, reject,
  TEXT_RULE } from '../../field-rules.js';
import type { ParameterDeclaration, ParameterDeclarations, ParameterValue } from './declaration.js';

const NAME = /^[a-zA-Z][a-zA-Z0-9]{0,63}$/;
const NAME_RULE = {
  allowed: 'a name of letters and digits that begins with a letter',
  accepts: (name: unknown) => NAME.test(String(name)),
};
const KEYS = ['default', 'min', 'max', 'whole', 'values', 'unit', 'title', 'description', 'source'];
const TEXTS = ['unit', 'title', 'description', 'source'] as const;
const NUMBER_RULE: FieldRule = {
  allowed: 'a number',
  accepts: (value) => typeof value === 'number' && !Number.isNaN(value),
};
const FLAG_RULE = oneOf(true, false);
const WORDS_RULE: FieldRule = {
  allowed: 'a list of at least one text',
  accepts: (value) => Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'),
};

/** The rule that values of a parameter must satisfy. */
export function ruleOf(
  { default: byDefault, values, min, max, whole = false, unit }: ParameterDeclaration<never>,
): FieldRule {
  if (typeof byDefault === 'boolean') return FLAG_RULE;
  if (values !== undefined) return oneOf(...values);
  const isFinite = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
  const { allowed, accepts } = inRange({
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(whole && { multipleOf: 1 }),
    ...(unit !== undefined && { unit }),
  });
  return { allowed, accepts: (value) => isFinite(value) && accepts(value) };
}

/** @throws RoceError `invalid-config`, naming the part of the declaration. */
export function checkParameterDeclarations(parameters: ParameterDeclarations<never>, reserved: readonly string[],
  where: string): void {
  const names = Object.keys(checkRecord(parameters, where));
  if (names.length > CUSTOM_PARAMETER_COUNT_MAX)
    reject({
      what: 'the number of parameters',
      got: names.length,
      allowed: { max: CUSTOM_PARAMETER_COUNT_MAX },
      where,
    });
  for (const name of names) {
    const at = `${where}.${name}`;
    checkField(name, NAME_RULE, at);
    if (reserved.includes(name)) reject({ got: name, problem: 'is a parameter that every algorithm has', where: at });
    checkOne(parameters[name], at);
  }
}

function checkOne(declaration: ParameterDeclaration<never>, where: string): void {
  checkKeys(checkRecord(declaration, where), KEYS, where);
  for (const key of TEXTS)
    if (declaration[key] !== undefined) checkField(declaration[key], TEXT_RULE, `${where}.${key}`);
  for (const key of ['min', 'max'] as const)
    if (declaration[key] !== undefined) checkField(declaration[key], NUMBER_RULE, `${where}.${key}`);
  if (declaration.whole !== undefined) checkField(declaration.whole, FLAG_RULE, `${where}.whole`);
  if (declaration.values !== undefined) checkField(declaration.values, WORDS_RULE, `${where}.values`);
  if (typeof declaration.default !== 'function')
    checkField(declaration.default, ruleOf(declaration), `${where}.default`);
}

/** The default of a parameter in a context, such as the network. */
export function defaultOf<Context>(declaration: ParameterDeclaration<Context>, network: Context): ParameterValue {
  return typeof declaration.default === 'function' ? declaration.default(network) : declaration.default;
}

/** A value as modules and records store it: a word becomes its index among the declared words, true becomes 1. */
export function numberOf({ values }: ParameterDeclaration<never>, value: ParameterValue): number {
  return typeof value === 'string' ? (values ?? []).indexOf(value) : Number(value);
}
