/**
 * Checks of the TIMELY parameters.
 */
import { checkFields, checkTogether, notAbove, numberIn, oneOf, wholeIn, type CrossRule,
  type FieldRules } from '../../field-rules.js';
import type { TimelyParameters } from './parameters.js';
import { minBelowMax, SHARED_RULES, STAGE_LIMIT, wholeRate } from '../shared-rules.js';

/** Smallest EWMA weight and decrease factor. */
export const TIMELY_FACTOR_MIN = 2 ** -12;

/** Rule of each field. */
export const TIMELY_FIELD_RULES: FieldRules<TimelyParameters> = {
  algorithm: oneOf('timely'),
  numbers: SHARED_RULES.numbers,
  maxRateBps: SHARED_RULES.maxRateBps,
  minRateBps: SHARED_RULES.minRateBps,
  ewmaAlpha: numberIn(TIMELY_FACTOR_MIN, 1),
  decreaseBeta: numberIn(TIMELY_FACTOR_MIN, 1),
  lowRttPs: SHARED_RULES.period,
  highRttPs: SHARED_RULES.period,
  minRttPs: SHARED_RULES.period,
  aiRateBps: SHARED_RULES.aiRateBps,
  haiRateBps: SHARED_RULES.aiRateBps,
  hyperAfterSteps: wholeIn(0, STAGE_LIMIT, 'steps'),
  lowRttIncrease: oneOf('staged', 'additive'),
  updateOn: oneOf('round-trip', 'ack'),
  sequence: SHARED_RULES.sequence,
  sendGap: SHARED_RULES.sendGap,
};

const CROSS_RULES: readonly CrossRule<TimelyParameters>[] = [
  minBelowMax(),
  wholeRate('minRateBps'),
  wholeRate('aiRateBps'),
  wholeRate('haiRateBps'),
  notAbove('lowRttPs', 'highRttPs', 'highRttPs'),
];

/**
 * Checks TIMELY parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `TimelyParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateTimely(parameters: unknown, name = 'timely'): TimelyParameters {
  const checked = checkFields<TimelyParameters>(parameters, TIMELY_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}
