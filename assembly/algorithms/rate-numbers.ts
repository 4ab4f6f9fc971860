/**
 * Rates, windows and gaps between packets, in doubles or in the whole numbers of the ns-3 reference simulator.
 *
 *   roundRate     floor(R) under whole-bps
 *   window        W R / L, at least 1 byte; whole: floor(W R / L) as one u64 product and division
 *   gap           picoseconds: ceil(8e12 B / R)
 *                 ns3-nanoseconds: x = 8 B / R seconds, lo = floor(x 2^64), ns = floor(lo 10^9 / 2^64)
 *
 * The last one in 64-bit integers, after splitting off whole seconds: lo = 2^32 h + l, ns = (10^9 h + (10^9 l >> 32)) >> 32.
 *
 * Limits    Validation keeps W L below 2^64 if windows are whole, and rates at 1000 b/s or more.
 * Citation  Measurements of alibaba-edu/High-Precision-Congestion-Control at 9f4be2a; readable model, with unlimited integers:
 *           src/reference/algorithms/rate-numbers.ts.
 */
import { NUMBERS_WHOLE_BPS } from '../../src/abi/codes';
import { ControllerState } from '../records/controllers';

/** Codes of a parameter `windowMode`; 2: variable. */
export const WINDOW_NONE: f64 = 0;
export const WINDOW_FIXED: f64 = 1;
/** Codes of a parameter `sendGap`. */
export const SEND_GAP_PICOSECONDS: f64 = 0;
const SEND_GAP_NS3_NANOSECONDS: f64 = 1;

const PS_BITS_PER_BYTE_SECOND: f64 = 8e12;
const PS_PER_NS: f64 = 1000;
const NS_PER_SECOND: u64 = 1_000_000_000;
const TWO_64: f64 = 18446744073709551616.0;
const LOW_WORD: u64 = 0xffffffff;

/** Rounds a computed, non-negative rate to the precision of the policy. */
@inline export function roundRate(numbers: f64, rateBps: f64): f64 {
  return numbers == NUMBERS_WHOLE_BPS ? floor<f64>(rateBps) : rateBps;
}

/** The window at a rate, at least one byte. */
@inline export function windowAtRate(numbers: f64, windowBytes: f64, rateBps: f64, maxRateBps: f64): f64 {
  const window = numbers == NUMBERS_WHOLE_BPS ?
    <f64>((<u64>windowBytes * <u64>rateBps) / <u64>maxRateBps) :
    (windowBytes * rateBps) / maxRateBps;
  return window > 1 ? window : 1;
}

/** The window at a rate under a window mode, bytes; 0 = no window. */
@inline export function windowInUse(mode: f64, numbers: f64, windowBytes: f64, rateBps: f64, maxRateBps: f64): f64 {
  if (mode == WINDOW_NONE) return 0;
  return mode == WINDOW_FIXED ? windowBytes : windowAtRate(numbers, windowBytes, rateBps, maxRateBps);
}

/** Transmission time of `lenBytes` at a rate, nanoseconds, with the rounding of the reference simulator. */
export function txTimeNs(lenBytes: u32, rateBps: f64): f64 {
  const seconds = (<f64>lenBytes * 8) / rateBps;
  const whole = floor<f64>(seconds);
  // Exact: a double scaled by a power of two.
  const scaled = <u64>((seconds - whole) * TWO_64);
  const high = NS_PER_SECOND * (scaled >> 32);
  const low = (NS_PER_SECOND * (scaled & LOW_WORD)) >> 32;
  return <f64>(NS_PER_SECOND * <u64>whole + ((high + low) >> 32));
}

/** Gap after a packet of `lenBytes` at a rate, picoseconds. */
@inline export function sendGapPs(gap: f64, lenBytes: u32, rateBps: f64): f64 {
  if (gap == SEND_GAP_NS3_NANOSECONDS) return txTimeNs(lenBytes, rateBps) * PS_PER_NS;
  return ceil<f64>((<f64>lenBytes * PS_BITS_PER_BYTE_SECOND) / rateBps);
}

/** A packet was sent at this time: the next one may follow after its gap. */
@inline export function paceSent(gap: f64, pace: ControllerState, timePs: f64, lenBytes: u32, rateBps: f64): void {
  pace.lastLenBytes = lenBytes;
  pace.nextSendPs = timePs + sendGapPs(gap, lenBytes, rateBps);
}

/** The rate changes: the running gap is adjusted as if the new rate had applied from its start. */
@inline export function paceRateChange(gap: f64, pace: ControllerState, oldRateBps: f64, newRateBps: f64): void {
  if (oldRateBps == newRateBps) return;
  const lenBytes = pace.lastLenBytes;
  pace.nextSendPs += sendGapPs(gap, lenBytes, newRateBps) - sendGapPs(gap, lenBytes, oldRateBps);
}
