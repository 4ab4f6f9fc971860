/**
 * Checks of the HPCC parameters, and the rules that the other window and rate algorithms share with it.
 *
 * Rates go up to 2^43 b/s and round trips up to a quarter of the largest time, as for DCQCN. Under `whole-bps` the
 * product of window and maximum rate stays below 2^64, so that it can be formed in 64-bit integers.
 */
import { checkFields, checkTogether, flag, numberIn, oneOf, wholeIn, type CrossRule,
  type FieldRules } from '../../field-rules.js';
import type { HpccParameters, RateNumbers, WindowMode } from './parameters.js';
import { PERIOD_MAX_PS, PERIOD_MIN_PS, RATE_MAX_BPS } from '../dcqcn/validate.js';

/** Largest window, bytes. */
export const WINDOW_MAX_BYTES = 2 ** 32 - 1;
/** Smallest target utilisation. */
export const TARGET_UTILIZATION_MIN = 2 ** -10;
/** Largest maxStage: stage counters are 16 bits wide. */
export const STAGE_LIMIT = 65535;

const BPS = 'bits per second';

/** Rules of fields that several algorithms have. */
export const SHARED_RULES = Object.freeze({
  numbers: oneOf('float64', 'whole-bps'),
  maxRateBps: wholeIn(1000, RATE_MAX_BPS, BPS),
  minRateBps: numberIn(1000, RATE_MAX_BPS, BPS),
  aiRateBps: numberIn(0, RATE_MAX_BPS, BPS),
  windowBytes: wholeIn(1, WINDOW_MAX_BYTES, 'bytes'),
  windowMode: oneOf('none', 'fixed', 'variable'),
  targetUtilization: numberIn(TARGET_UTILIZATION_MIN, 1),
  maxStage: wholeIn(0, STAGE_LIMIT, 'steps'),
  period: wholeIn(PERIOD_MIN_PS, PERIOD_MAX_PS, 'picoseconds'),
  sequence: oneOf('u32', 'psn24'),
  sendGap: oneOf('picoseconds', 'ns3-nanoseconds'),
});

interface RateFields {
  readonly numbers: RateNumbers;
  readonly maxRateBps: number;
  readonly minRateBps: number;
}

interface WindowFields {
  readonly windowBytes: number;
  readonly windowMode: WindowMode;
}

/** The floor is not above the cap. */
export function minBelowMax<T extends RateFields>(): CrossRule<T> {
  return {
    fields: ['minRateBps', 'maxRateBps'],
    problem: 'must not exceed the maximum rate',
    holds: (p) => p.minRateBps <= p.maxRateBps,
  };
}

/** A rate is whole where rates are whole. */
export function wholeRate<T extends RateFields>(field: keyof T & string): CrossRule<T> {
  return {
    fields: [field, 'numbers'],
    problem: "must be a whole number of bits per second, except under numbers 'float64'",
    holds: (p) => p.numbers === 'float64' || Number.isInteger(p[field]),
  };
}

/** Window times rate fits 64 bits where windows are whole. */
export function windowProduct<T extends RateFields & WindowFields>(): CrossRule<T> {
  return {
    fields: ['windowBytes', 'maxRateBps'],
    problem: "times maxRateBps must be below 2^64 under windowMode 'variable', except under numbers 'float64'",
    holds: (p) => p.numbers === 'float64' || p.windowMode !== 'variable' || p.windowBytes * p.maxRateBps < 2 ** 64,
  };
}

/** Rule of each field by itself. */
export const HPCC_FIELD_RULES: FieldRules<HpccParameters> = {
  algorithm: oneOf('hpcc'),
  numbers: SHARED_RULES.numbers,
  primary: oneOf('window', 'rate'),
  maxRateBps: SHARED_RULES.maxRateBps,
  minRateBps: SHARED_RULES.minRateBps,
  baseRttPs: SHARED_RULES.period,
  windowBytes: SHARED_RULES.windowBytes,
  windowMode: SHARED_RULES.windowMode,
  targetUtilization: SHARED_RULES.targetUtilization,
  maxStage: SHARED_RULES.maxStage,
  aiRateBps: SHARED_RULES.aiRateBps,
  aiWindowBytes: numberIn(0, WINDOW_MAX_BYTES, 'bytes'),
  fastReact: flag(),
  multiRate: flag(),
  sampleFeedback: flag(),
  ewma: oneOf('adaptive', 'constant'),
  ewmaBeta: numberIn(0, 1),
  records: oneOf('exact', 'int64'),
  intMultiplier: wholeIn(1, 256),
  pathChange: oneOf('reset', 'ignore'),
  repeatedTimestamp: oneOf('skip-hop', 'one-nanosecond'),
  sequence: SHARED_RULES.sequence,
  sendGap: SHARED_RULES.sendGap,
};

const CROSS_RULES: readonly CrossRule<HpccParameters>[] = [
  minBelowMax(),
  wholeRate('minRateBps'),
  wholeRate('aiRateBps'),
  windowProduct(),
  {
    fields: ['primary', 'numbers'],
    problem: "must be 'rate', except under numbers 'float64'",
    holds: (p) => p.numbers === 'float64' || p.primary === 'rate',
  },
  {
    fields: ['windowMode', 'primary'],
    problem: "must be 'variable' under primary 'window'",
    holds: (p) => p.primary === 'rate' || p.windowMode === 'variable',
  },
  {
    fields: ['minRateBps', 'baseRttPs', 'windowBytes'],
    problem: "times baseRttPs must not exceed the window under primary 'window'",
    holds: (p) => p.primary === 'rate' || (p.minRateBps * p.baseRttPs) / 8e12 <= p.windowBytes,
  },
  {
    fields: ['aiRateBps', 'primary'],
    problem: "must be 0 under primary 'window', which has aiWindowBytes",
    holds: (p) => p.primary === 'rate' || p.aiRateBps === 0,
  },
  {
    fields: ['aiWindowBytes', 'primary'],
    problem: "must be 0 under primary 'rate', which has aiRateBps",
    holds: (p) => p.primary === 'window' || p.aiWindowBytes === 0,
  },
  {
    fields: ['ewmaBeta', 'ewma'],
    problem: "must be 0 under ewma 'adaptive' and above 0 under 'constant'",
    holds: (p) => (p.ewma === 'adaptive') === (p.ewmaBeta === 0),
  },
  {
    fields: ['intMultiplier', 'records'],
    problem: "must be 1 under records 'exact'",
    holds: (p) => p.records === 'int64' || p.intMultiplier === 1,
  },
];

/**
 * Checks HPCC parameters and returns a frozen copy of them.
 *
 * @param parameters anything; only a complete, consistent `HpccParameters` without further fields passes.
 * @param name what errors call the object: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the first bad field, its value and what is allowed.
 */
export function validateHpcc(parameters: unknown, name = 'hpcc'): HpccParameters {
  const checked = checkFields<HpccParameters>(parameters, HPCC_FIELD_RULES, name);
  return Object.freeze({ ...checkTogether(checked, CROSS_RULES, name) });
}
