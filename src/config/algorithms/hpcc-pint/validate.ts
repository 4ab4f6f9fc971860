/**
 * Checks of the HPCC-PINT parameters.
 */
import { checkFields, checkTogether, flag, numberIn, oneOf, reject, wholeIn, type CrossRule,
  type FieldRules } from '../../field-rules.js';
import type { HpccPintParameters } from './parameters.js';
import { minBelowMax, SHARED_RULES, wholeRate, windowProduct } from '../shared-rules.js';

/** Smallest base of the encoding. */
export const PINT_BASE_MIN = 1 + 2 ** -10;
/** Smallest probability that an ACK is evaluated. */
const PINT_PROBABILITY_MIN = 2 ** -16;
/** The largest code's value base^code stays below 2^900, so that it can be split into halves exactly. */
const LARGEST_POWER_BITS = 900;

/** Rule of each field. */
export const HPCC_PINT_FIELD_RULES: FieldRules<HpccPintParameters> = {
  algorithm: oneOf('hpcc-pint'),
  numbers: SHARED_RULES.numbers,
  maxRateBps: SHARED_RULES.maxRateBps,
  minRateBps: SHARED_RULES.minRateBps,
  windowBytes: SHARED_RULES.windowBytes,
  windowMode: SHARED_RULES.windowMode,
  targetUtilization: SHARED_RULES.targetUtilization,
  maxStage: SHARED_RULES.maxStage,
  aiRateBps: SHARED_RULES.aiRateBps,
  fastReact: flag(),
  pintBase: numberIn(PINT_BASE_MIN, 2),
  pintBits: wholeIn(1, 16, 'bits'),
  pintProbability: numberIn(PINT_PROBABILITY_MIN, 1),
  sequence: SHARED_RULES.sequence,
  sendGap: SHARED_RULES.sendGap,
};

const CROSS_RULES: readonly CrossRule<HpccPintParameters>[] = [
  minBelowMax(),
  wholeRate('minRateBps'),
  wholeRate('aiRateBps'),
  windowProduct(),
  {
    fields: ['pintBits', 'pintBase'],
    problem: 'makes codes too large: pintBase^(2^pintBits - 1) must be below 2^900',
    holds: (p) => Math.log2(p.pintBase) * (2 ** p.pintBits - 1) < LARGEST_POWER_BITS,
  },
];

/**
 * Checks HPCC-PINT parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `HpccPintParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateHpccPint(parameters: unknown, name = 'hpccPint'): HpccPintParameters {
  const checked = checkFields<HpccPintParameters>(parameters, HPCC_PINT_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}

/** @throws RoceError `invalid-config` for a probability below 1, which only the reference model supports. */
export function checkPintForEngine({ pintProbability }: HpccPintParameters, name: string): void {
  if (pintProbability === 1) return;
  const hint = 'An engine draws no random numbers: it reads every ACK';
  reject({ got: pintProbability, allowed: 1, where: `${name}.pintProbability`, hint });
}
