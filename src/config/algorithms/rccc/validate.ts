/**
 * Checks of the RCCC parameters.
 */
import { checkFields, checkTogether, numberIn, oneOf, wholeIn, type CrossRule,
  type FieldRules } from '../../field-rules.js';
import { SHARED_RULES, WINDOW_MAX_BYTES } from '../shared-rules.js';
import type { RcccParameters } from './parameters.js';
import { rcccMaxWindowBytes } from './record.js';

/** Rule of each field. */
export const RCCC_FIELD_RULES: FieldRules<RcccParameters> = {
  algorithm: oneOf('rccc'),
  maxRateBps: SHARED_RULES.maxRateBps,
  packetBytes: wholeIn(64, 65535, 'bytes'),
  baseRttPs: SHARED_RULES.period,
  maxWindowBdps: numberIn(2 ** -10, 64, 'bandwidth-delay products'),
  initialCreditBytes: wholeIn(0, WINDOW_MAX_BYTES, 'bytes'),
  timeoutCredit: oneOf('packet', 'none'),
};

const CROSS_RULES: readonly CrossRule<RcccParameters>[] = [
  {
    fields: ['initialCreditBytes', 'maxWindowBdps'],
    problem: 'must not exceed the largest window, maxWindowBdps bandwidth-delay products and at least a packet',
    holds: (p) => p.initialCreditBytes <= rcccMaxWindowBytes(p),
  },
];

/**
 * Checks RCCC parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `RcccParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateRccc(parameters: unknown, name = 'rccc'): RcccParameters {
  const checked = checkFields<RcccParameters>(parameters, RCCC_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}
