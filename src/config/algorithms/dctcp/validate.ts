/**
 * Checks of the DCTCP parameters.
 */
import type { DctcpParameters } from './parameters.js';
import { checkFields, checkTogether, numberIn, oneOf, orValue, wholeIn, type CrossRule,
  type FieldRules } from '../../field-rules.js';
import { ALPHA_GAIN_MIN } from '../shared-rules.js';
import { minBelowMax, SHARED_RULES, wholeRate } from '../shared-rules.js';

/** Rule of each field. */
export const DCTCP_FIELD_RULES: FieldRules<DctcpParameters> = {
  algorithm: oneOf('dctcp'),
  numbers: SHARED_RULES.numbers,
  maxRateBps: SHARED_RULES.maxRateBps,
  minRateBps: SHARED_RULES.minRateBps,
  alphaGain: orValue(0, numberIn(ALPHA_GAIN_MIN, 1)),
  aiRateBps: SHARED_RULES.aiRateBps,
  sequencePerPacket: wholeIn(1, 65535, 'sequence numbers'),
  sequence: SHARED_RULES.sequence,
  sendGap: SHARED_RULES.sendGap,
};

const CROSS_RULES: readonly CrossRule<DctcpParameters>[] = [
  minBelowMax(),
  wholeRate('minRateBps'),
  wholeRate('aiRateBps'),
];

/**
 * Checks DCTCP parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `DctcpParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateDctcp(parameters: unknown, name = 'dctcp'): DctcpParameters {
  const checked = checkFields<DctcpParameters>(parameters, DCTCP_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}
