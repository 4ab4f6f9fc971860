/**
 * The unit of an ARN's compression time, which draft-hu-rtgwg-rocev2-fcn-00, section 4.1.1.2 does not state.
 *
 *   us          microseconds
 *   pfc-quanta  512 bit times at the rate of the link, as in PAUSE and PFC frames (IEEE 802.3, annex 31B)
 *
 * Times are whole picoseconds, rounded up, so that no flow is held for less time than requested.
 */
import { PS_PER_US } from '../../unit-sizes.js';
import { invalidArgument, requireChoice, requireField, requireRecord } from '../bytes.js';
import { U32_MAX } from '../wide-bytes.js';

const UNITS = ['us', 'pfc-quanta'] as const;

/** Number of bits whose transmission takes one quantum. */
export const PFC_QUANTUM_BITS = 512;

const PS_PER_SECOND = 10n ** 12n;

/** The unit of a compression time. */
export type CompressionTimeUnit = (typeof UNITS)[number];

/** How compression times are encoded; both ends must agree. */
export interface CompressionTimeFormat {
  /** Unit of compression times. Default `us`. */
  readonly timeUnit?: CompressionTimeUnit;
  /** Rate of the link, bits per second, a whole number; needed by `pfc-quanta`, ignored by `us`. */
  readonly rateBps?: number;
}

/**
 * Converts a compression time to picoseconds, rounded up.
 *
 * @param compressionTime 32 bits.
 * @throws RoceError `invalid-argument` for an invalid number or unit, or a time of more than 2^53 - 1 ps.
 */
export function compressionTimePs(compressionTime: number, format: CompressionTimeFormat = {}): number {
  requireField('arn.compressionTime', compressionTime, U32_MAX);
  const rateBps = quantaRateOf(format);
  if (rateBps === undefined) return compressionTime * PS_PER_US;
  const bits = BigInt(compressionTime) * BigInt(PFC_QUANTUM_BITS);
  const timePs = Number(divideUp(bits * PS_PER_SECOND, BigInt(rateBps)));
  if (Number.isSafeInteger(timePs)) return timePs;
  throw invalidArgument('arn.compressionTime', compressionTime, 'a time of at most 2^53 - 1 picoseconds');
}

/**
 * Converts picoseconds to a compression time, rounded up.
 *
 * @throws RoceError `invalid-argument` for a time that is not a whole number, below 0, or too long for 32 bits.
 */
export function compressionTimeOf(timePs: number, format: CompressionTimeFormat = {}): number {
  const rateBps = quantaRateOf(format);
  if (Number.isSafeInteger(timePs) && timePs >= 0) {
    const time = rateBps === undefined ? Math.ceil(timePs / PS_PER_US) : quantaOf(timePs, rateBps);
    if (time <= U32_MAX) return time;
  }
  const allowed = `whole picoseconds, at most ${U32_MAX} ${format.timeUnit ?? 'us'}`;
  throw invalidArgument('timePs', timePs, allowed);
}

/**
 * The link rate on which quanta are based; undefined for microseconds.
 *
 * @throws RoceError `invalid-argument` for an unknown unit, or quanta without a rate.
 */
export function quantaRateOf(format: CompressionTimeFormat): number | undefined {
  requireRecord('format', format);
  const { timeUnit = 'us', rateBps } = format;
  requireChoice('timeUnit', timeUnit, UNITS);
  if (timeUnit === 'us') return undefined;
  if (rateBps !== undefined && Number.isSafeInteger(rateBps) && rateBps > 0) return rateBps;
  throw invalidArgument('rateBps', rateBps, { above: 0, multipleOf: 1, unit: 'bit/s' }, 'link rate for quanta');
}

function quantaOf(timePs: number, rateBps: number): number {
  const psTimesRate = BigInt(timePs) * BigInt(rateBps);
  return Number(divideUp(psTimesRate, BigInt(PFC_QUANTUM_BITS) * PS_PER_SECOND));
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
