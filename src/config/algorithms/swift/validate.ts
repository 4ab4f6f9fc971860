/**
 * Checks of the Swift parameters.
 */
import { checkFields, checkTogether, notAbove, numberIn, oneOf, wholeIn, type CrossRule,
  type FieldRules } from '../../field-rules.js';
import type { SwiftParameters } from './parameters.js';
import { PERIOD_MAX_PS } from '../shared-rules.js';
import { SHARED_RULES } from '../shared-rules.js';

/** Limits of a window, packets. */
export const CWND_MIN = 2 ** -16;
export const CWND_MAX = 2 ** 24;

const PS = 'picoseconds';
const CWND_RULE = numberIn(CWND_MIN, CWND_MAX, 'packets');

/** Rule of each field. */
export const SWIFT_FIELD_RULES: FieldRules<SwiftParameters> = {
  algorithm: oneOf('swift'),
  maxRateBps: SHARED_RULES.maxRateBps,
  packetBytes: wholeIn(1, 65535, 'bytes'),
  baseTargetPs: SHARED_RULES.period,
  hopScalePs: wholeIn(0, PERIOD_MAX_PS, PS),
  flowScaleRangePs: wholeIn(0, PERIOD_MAX_PS, PS),
  flowScaleMinCwnd: CWND_RULE,
  flowScaleMaxCwnd: CWND_RULE,
  aiPackets: numberIn(0, CWND_MAX, 'packets'),
  decreaseBeta: numberIn(CWND_MIN, 1),
  maxDecrease: numberIn(CWND_MIN, 1 - CWND_MIN),
  minCwnd: CWND_RULE,
  maxCwnd: CWND_RULE,
  initialCwnd: CWND_RULE,
  timeoutsToReset: wholeIn(1, 255, 'timeouts'),
};

const CROSS_RULES: readonly CrossRule<SwiftParameters>[] = [
  {
    fields: ['flowScaleMinCwnd', 'flowScaleMaxCwnd'],
    problem: 'must be below flowScaleMaxCwnd',
    holds: (p) => p.flowScaleMinCwnd < p.flowScaleMaxCwnd,
  },
  notAbove('minCwnd', 'maxCwnd', 'maxCwnd'),
  {
    fields: ['initialCwnd', 'minCwnd', 'maxCwnd'],
    problem: 'must be from minCwnd to maxCwnd',
    holds: (p) => p.initialCwnd >= p.minCwnd && p.initialCwnd <= p.maxCwnd,
  },
];

/**
 * Checks Swift parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `SwiftParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateSwift(parameters: unknown, name = 'swift'): SwiftParameters {
  const checked = checkFields<SwiftParameters>(parameters, SWIFT_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}
