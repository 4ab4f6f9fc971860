/**
 * Fields that several algorithms have: their types, limits and rules.
 *
 * Rates go up to 2^43 b/s and round trips up to a quarter of the largest time. Under `whole-bps` the product of window and
 * maximum rate stays below 2^64, so that it can be computed in 64-bit integers.
 */
import { checkMember, checkRecord, notAbove, numberIn, oneOf, wholeIn, type CrossRule } from '../field-rules.js';

/** `float64`: rates are doubles. `whole-bps`: computed rates are truncated to whole bits per second. */
export type RateNumbers = 'float64' | 'whole-bps';
/** `none`: no window. `fixed`: windowBytes. `variable`: windowBytes times rate over maximum rate. */
export type WindowMode = 'none' | 'fixed' | 'variable';
/**
 * `u32`: plain 32-bit numbers, 0 = none yet (the ns-3 reference simulator). `psn24`: 24-bit packet sequence
 * numbers that wrap, compared by serial arithmetic (InfiniBand).
 */
export type SequenceNumbers = 'u32' | 'psn24';
/** `picoseconds`: rounded up. `ns3-nanoseconds`: as the reference simulator rounds, see src/reference/algorithms/rate-numbers.ts. */
export type SendGap = 'picoseconds' | 'ns3-nanoseconds';

/** Largest rate, bits per second. */
export const RATE_MAX_BPS = 2 ** 43;
/** Shortest period, picoseconds. */
export const PERIOD_MIN_PS = 1000;
/** Longest period, picoseconds: a quarter of the largest time, 2^53 - 1. */
export const PERIOD_MAX_PS = Math.floor(Number.MAX_SAFE_INTEGER / 4);
/** Smallest gain of alpha other than 0. */
export const ALPHA_GAIN_MIN = 2 ** -12;
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

const LINE_RATE_RULE = wholeIn(1, RATE_MAX_BPS, BPS);

interface RateFields {
  readonly numbers: RateNumbers;
  readonly maxRateBps: number;
  readonly minRateBps: number;
}

interface WindowFields {
  readonly windowBytes: number;
  readonly windowMode: WindowMode;
}

/** Requires that the minimum rate does not exceed the maximum rate. */
export function minBelowMax<T extends RateFields>(): CrossRule<T> {
  return notAbove('minRateBps', 'maxRateBps', 'the maximum rate');
}

/** Requires a whole rate, except under `float64`. */
export function wholeRate<T extends RateFields>(field: keyof T & string): CrossRule<T> {
  return {
    fields: [field, 'numbers'],
    problem: "must be a whole number of bits per second, except under numbers 'float64'",
    holds: (p) => p.numbers === 'float64' || Number.isInteger(p[field]),
  };
}

/** Requires that window times maximum rate fits 64 bits, except under `float64`. */
export function windowProduct<T extends RateFields & WindowFields>(): CrossRule<T> {
  return {
    fields: ['windowBytes', 'maxRateBps'],
    problem: "times maxRateBps must be below 2^64 under windowMode 'variable', except under numbers 'float64'",
    holds: (p) => p.numbers === 'float64' || p.windowMode !== 'variable' || p.windowBytes * p.maxRateBps < 2 ** 64,
  };
}

/** Checks the options object and its line rate; throws RoceError `invalid-config`. */
export function checkLineRate(options: { readonly lineRateBps: number }, name: string): number {
  checkRecord(options, name);
  const { lineRateBps } = options;
  checkMember(lineRateBps, LINE_RATE_RULE, name, 'lineRateBps');
  return lineRateBps;
}
