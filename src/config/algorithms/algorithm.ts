/**
 * What the engine and the simulator need to know about an algorithm, built in or custom, the record of its parameters,
 * and the fields that several algorithms have: their types, limits and rules.
 *
 * Rates go up to 2^43 b/s and round trips up to a quarter of the largest time. Under `whole-bps` the product of window
 * and maximum rate stays below 2^64, so that it can be computed in 64-bit integers.
 */
import { checkMember, checkRecord, notAbove, numberIn, oneOf, wholeIn, type CrossRule } from '../field-rules.js';

/** Properties of an algorithm. */
export interface Algorithm<Parameters> {
  /** Display name. */
  readonly title: string;
  /** One of the ALGORITHM_* codes. */
  readonly code: number;
  /** @throws RoceError `invalid-config`, naming the field. */
  readonly validate: (parameters: unknown, name: string) => Parameters;
  /** The fields that follow the algorithm's code in the record that engine.wasm reads. */
  readonly record: (parameters: Parameters) => ParameterRecord;
  /** Bits of src/abi/algorithms.ts. Algorithms that read ACKs also have a window in a QP's record. */
  readonly traits: number;
  /** The switch telemetry that it reads. */
  readonly telemetry?: (parameters: Parameters) => TelemetryRead;
  /** Encoding in which switches provide the utilisation. */
  readonly pint?: (parameters: Parameters) => { readonly pintBase: number; readonly pintBits: number };
  /** Whether a window bounds the bytes in flight: if its `windowMode` says so, or always. Absent: the network decides. */
  readonly window?: 'by-mode' | 'always';
  /** Bytes that it adds to each packet under fidelity `reference`. */
  readonly referenceBytes?: number;
  /** Whether it checks for rate cuts periodically, with a separate phase for each QP. */
  readonly cutsPerPeriod?: (parameters: Parameters) => boolean;
  /** Maximum number of hops per QP. */
  readonly hops?: (parameters: Parameters) => number;
  /** Hops whose last telemetry a QP stores; the maximum unless given. */
  readonly keptHops?: number;
  /** Bytes of further state per QP, stored after its record instead of hops. */
  readonly stateBytes?: () => number;
  /** Rejects parameters that only the reference model supports. @throws RoceError `invalid-config`, naming the field. */
  readonly checkForEngine?: (parameters: Parameters, name: string) => void;
  /** Bytes of the tables that the engine makes for a parameter set. */
  readonly tableBytes?: (parameters: Parameters) => number;
}

/** Telemetry in ACKs. */
export interface TelemetryRead {
  /** Kind of hop records. */
  readonly records: 'exact' | 'int64';
  /** The unit multiplier m of `int64` records. */
  readonly intMultiplier: number;
}

/** A field: its name in the engine's class, its value, and its type: `u32`, or f64 if absent. */
export type ParameterField = readonly [name: string, value: number, type?: 'u32'];
/** A parameter set as the engine reads it: the fields of the algorithm's class in assembly/algorithms, in its order. */
export type ParameterRecord = readonly ParameterField[];

/** The fields that follow the code in every algorithm: algorithm-specific flag bits, line rate, and floor of the rate. */
export function commonFields(maxRateBps: number, minRateBps: number, switches = 0): ParameterRecord {
  return [['switches', switches, 'u32'], ['maxRateBps', maxRateBps], ['minRateBps', minRateBps]];
}

/** Fields of all senders that count round trips. The first word of each type becomes 0, the second 1. */
export function senderFields({ numbers, sequence, sendGap }: {
  readonly numbers: 'float64' | 'whole-bps';
  readonly sequence: 'u32' | 'psn24';
  readonly sendGap: 'picoseconds' | 'ns3-nanoseconds';
}): ParameterRecord {
  return [
    ['numbers', Number(numbers === 'whole-bps')],
    ['sequence', Number(sequence === 'psn24')],
    ['sendGap', Number(sendGap === 'ns3-nanoseconds')],
  ];
}

/** Writes a record at a byte address. */
export function writeParameterRecord(view: DataView, at: number, record: ParameterRecord): void {
  let next = at;
  for (const [, value, type] of record) {
    if (type === 'u32') view.setUint32(next, value, true);
    else view.setFloat64(next, value, true);
    next += type === 'u32' ? 4 : 8;
  }
}

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
