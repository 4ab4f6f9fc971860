/**
 * Checks of the NSCC parameters.
 */
import { checkFields, checkTogether, flag, notAbove, numberIn, oneOf, wholeIn, type CrossRule,
  type FieldRules } from '../../field-rules.js';
import type { NsccParameters } from './parameters.js';
import { SHARED_RULES, WINDOW_MAX_BYTES } from '../shared-rules.js';

const GAIN_MAX = 100;
const GAIN_RULE = numberIn(0, GAIN_MAX);
const PACKET_RULE = wholeIn(64, 65535, 'bytes');

/** Rule of each single field. */
export const NSCC_FIELD_RULES: FieldRules<NsccParameters> = {
  algorithm: oneOf('nscc'),
  maxRateBps: SHARED_RULES.maxRateBps,
  packetBytes: PACKET_RULE,
  payloadBytes: PACKET_RULE,
  baseRttPs: SHARED_RULES.period,
  targetDelayPs: SHARED_RULES.period,
  initialWindowBytes: wholeIn(0, WINDOW_MAX_BYTES, 'bytes'),
  maxWindowBdps: numberIn(2 ** -10, 64, 'bandwidth-delay products'),
  proportionalGain: GAIN_RULE,
  fairGain: GAIN_RULE,
  fixedGain: GAIN_RULE,
  fastGain: GAIN_RULE,
  fastDelayPs: SHARED_RULES.period,
  decreaseGain: GAIN_RULE,
  maxDecrease: numberIn(0, 1),
  delayWeight: numberIn(2 ** -16, 1),
  fulfilPackets: wholeIn(1, 65535, 'packets'),
  quickAdapt: flag(),
  adaptGate: wholeIn(0, 16),
  adaptTargets: numberIn(0, 1000, 'targets'),
  inferredLoss: oneOf('as-trimmed', 'reduce'),
  lastHopTrims: oneOf('reduce', 'leave'),
  nackRtt: oneOf('measure', 'ignore'),
  increaseSum: oneOf('u32', 'exact'),
};

const CROSS_RULES: readonly CrossRule<NsccParameters>[] = [
  notAbove('payloadBytes', 'packetBytes', 'packetBytes'),
];

/**
 * Checks NSCC parameters and returns a frozen copy of them.
 *
 * @param parameters anything; only a complete, consistent `NsccParameters` without further fields passes.
 * @param name what errors call the object: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateNscc(parameters: unknown, name = 'nscc'): NsccParameters {
  const checked = checkFields<NsccParameters>(parameters, NSCC_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}
