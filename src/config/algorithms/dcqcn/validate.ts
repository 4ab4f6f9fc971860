/**
 * Checks of the DCQCN parameters: first each field alone, then constraints between fields.
 *
 * The limits are not the vendors'. Within them the state machine is exact and its work per event is bounded:
 *   rates    up to 2^43 b/s (8.8 Tb/s), so that rate times a 10-bit alpha stays an exact integer below 2^53;
 *   periods  from 1 ns, so that catching up after an idle time takes few steps, to a quarter of the largest time;
 *   gain     0 or from 2^-12, so that alpha falls below 2^-64 (where it is flushed to 0) within about 182,000 steps;
 *   R_AI and R_HAI  0 or from 2^-20 of the maximum rate, so that an increase ends within about a million steps.
 */
import { BYTE_STAGE_MAX } from '../../../abi/codes.js';
import type { DcqcnParameters } from './parameters.js';
import { ALPHA_GAIN_MIN, PERIOD_MAX_PS, PERIOD_MIN_PS, RATE_MAX_BPS } from '../shared-rules.js';
import { checkFields, checkTogether, flag, notAbove, numberIn, oneOf, orValue, wholeIn, type CrossRule,
  type FieldRules } from '../../field-rules.js';

/** Smallest R_AI and R_HAI other than 0, as a part of the maximum rate. */
const INCREASE_MIN_PART = 2 ** -20;
/** Smallest and largest byte counter other than 0, bytes. */
export const BYTE_COUNTER_MIN_BYTES = 64;
const BYTE_COUNTER_MAX_BYTES = 2 ** 31;
/** B must be able to exceed F + 1, from where on steps that change nothing are skipped. */
const FAST_RECOVERY_STEPS_MAX = BYTE_STAGE_MAX - 2;

const BPS = 'bits per second';
const PS = 'picoseconds';
/** Alpha under `alpha-q10` is an integer of 1/1024, at most 1023. */
const Q10_ONE = 1024;

/** Rule of each field, with unit and range for errors, help texts and documentation. */
export const DCQCN_FIELD_RULES: FieldRules<DcqcnParameters> = {
  algorithm: oneOf('dcqcn'),
  numbers: oneOf('float64', 'whole-bps', 'alpha-q10'),
  maxRateBps: wholeIn(1, RATE_MAX_BPS, BPS),
  // Truncating both halves before adding them can give 1 less than an odd floor; from 1 kb/s on that can't reach 0.
  minRateBps: numberIn(1000, RATE_MAX_BPS, BPS),
  alphaGain: orValue(0, numberIn(ALPHA_GAIN_MIN, 1)),
  initialAlpha: numberIn(0, 1),
  alphaUpdate: oneOf('on-cnp', 'per-period'),
  alphaPeriodPs: wholeIn(PERIOD_MIN_PS, PERIOD_MAX_PS, PS),
  cutTrigger: oneOf('on-cnp', 'per-period'),
  cutPeriodPs: wholeIn(PERIOD_MIN_PS, PERIOD_MAX_PS, PS),
  cutOffsetPs: wholeIn(0, PERIOD_MAX_PS, PS),
  cutAlphaOrder: oneOf('cut-first', 'alpha-first'),
  cutScale: oneOf(0.5, 1),
  minDecreaseFactor: numberIn(0, 1),
  rateOnFirstCnpBps: numberIn(0, RATE_MAX_BPS, BPS),
  rateOnFirstCnpFraction: numberIn(0, 1),
  firstCnpCuts: flag(),
  clampTargetRate: flag(),
  clampTargetRateAfterTimeIncrease: flag(),
  increasePeriodPs: wholeIn(PERIOD_MIN_PS, PERIOD_MAX_PS, PS),
  increaseTimerStart: oneOf('first-cnp', 'first-cut'),
  byteCounterBytes: orValue(0, wholeIn(BYTE_COUNTER_MIN_BYTES, BYTE_COUNTER_MAX_BYTES, 'bytes')),
  fastRecoverySteps: wholeIn(0, FAST_RECOVERY_STEPS_MAX, 'steps'),
  stages: oneOf('time-and-bytes', 'time'),
  aiRateBps: numberIn(0, RATE_MAX_BPS, BPS),
  haiRateBps: numberIn(0, RATE_MAX_BPS, BPS),
  hyperThreshold: oneOf('at', 'above'),
  hyperFactor: oneOf('constant', 'stage'),
  hyperHalvesPeriods: flag(),
  targetReduction: flag(),
  limiterRelease: oneOf('at-max-rate', 'never'),
  releaseGapBps: numberIn(0, RATE_MAX_BPS, BPS),
  simultaneous: oneOf('timers-first', 'event-first'),
};

type RateField = 'minRateBps' | 'rateOnFirstCnpBps' | 'aiRateBps' | 'haiRateBps' | 'releaseGapBps';

function wholeUnderWholePolicies(field: RateField): CrossRule<DcqcnParameters> {
  return {
    fields: [field, 'numbers'],
    problem: "must be a whole number of bits per second, except under numbers 'float64'",
    holds: (p) => p.numbers === 'float64' || Number.isInteger(p[field]),
  };
}

function zeroOrLargeEnough(field: 'aiRateBps' | 'haiRateBps'): CrossRule<DcqcnParameters> {
  return {
    fields: [field, 'maxRateBps'],
    problem: 'must be 0, or at least the maximum rate / 2^20',
    holds: (p) => p[field] === 0 || p[field] >= p.maxRateBps * INCREASE_MIN_PART,
  };
}

const CROSS_RULES: readonly CrossRule<DcqcnParameters>[] = [
  notAbove('minRateBps', 'maxRateBps', 'the maximum rate'),
  {
    fields: ['rateOnFirstCnpBps', 'minRateBps', 'maxRateBps'],
    problem: 'must be 0, or from the minimum rate to the maximum rate',
    holds: (p) =>
      p.rateOnFirstCnpBps === 0 || (p.rateOnFirstCnpBps >= p.minRateBps && p.rateOnFirstCnpBps <= p.maxRateBps),
  },
  {
    fields: ['releaseGapBps', 'maxRateBps'],
    problem: 'must be below the maximum rate',
    holds: (p) => p.releaseGapBps < p.maxRateBps,
  },
  {
    fields: ['alphaGain'],
    problem: "must be a multiple of 1/1024 under numbers 'alpha-q10'",
    holds: (p) => p.numbers !== 'alpha-q10' || Number.isInteger(p.alphaGain * Q10_ONE),
  },
  {
    fields: ['initialAlpha'],
    problem: "must be a multiple of 1/1024, up to 1023/1024, under numbers 'alpha-q10'",
    holds: (p) => p.numbers !== 'alpha-q10' || (Number.isInteger(p.initialAlpha * Q10_ONE) && p.initialAlpha < 1),
  },
  wholeUnderWholePolicies('minRateBps'),
  wholeUnderWholePolicies('rateOnFirstCnpBps'),
  wholeUnderWholePolicies('aiRateBps'),
  wholeUnderWholePolicies('haiRateBps'),
  wholeUnderWholePolicies('releaseGapBps'),
  zeroOrLargeEnough('aiRateBps'),
  zeroOrLargeEnough('haiRateBps'),
];

/**
 * Checks DCQCN parameters and returns a frozen copy of them.
 *
 * @param parameters a value to check; only a complete, consistent `DcqcnParameters` without further fields passes.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateDcqcn(parameters: unknown, name = 'dcqcn'): DcqcnParameters {
  const checked = checkFields<DcqcnParameters>(parameters, DCQCN_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}
