/**
 * Rates, windows and gaps in the numbers of the ns-3 reference simulator, and in plain doubles.
 *
 * There a rate is a 64-bit integer of bits per second. A product or quotient with a double is computed as a double and
 * truncated; a window is an integer division of 64-bit integers; a transmission time is
 *
 *   x = double(8 B) / R seconds,   lo = floor(x 2^64),   ns = floor(lo 10^9 / 2^64)
 *
 * which is an exact time rounded up, less 1 ns (and sometimes the exact one): links are a little faster than nominal.
 *
 * Where 2^53 is not enough the code below uses BigInt. Each has a form in 64-bit integers: the window is one u64
 * product and division (validation keeps the product below 2^64); for times below 1 s, with lo = 2^32 h + l,
 * ns = (10^9 h + (10^9 l >> 32)) >> 32.
 *
 * Source: measurements of alibaba-edu/High-Precision-Congestion-Control at 9f4be2a.
 */
import type { SendPace } from '../../abi/state/state-record.js';
import type { RateNumbers, SendGap, WindowMode } from '../../config/algorithms/shared-types.js';

const NS_PER_SECOND = 1_000_000_000n;
const TWO_64 = 2 ** 64;

/** A computed rate, not negative, in the precision of the policy. */
export function roundRate(numbers: RateNumbers, rateBps: number): number {
  return numbers === 'whole-bps' ? Math.floor(rateBps) : rateBps;
}

/**
 * The window that belongs to a rate: at least one byte.
 *
 *   whole-bps  max(1, floor(W R / L)) in integers      float64  max(1, W R / L)
 */
export function windowAtRate(numbers: RateNumbers, windowBytes: number, rateBps: number, maxRateBps: number): number {
  if (numbers === 'float64') return Math.max(1, (windowBytes * rateBps) / maxRateBps);
  const exact = (BigInt(windowBytes) * BigInt(rateBps)) / BigInt(maxRateBps);
  return Math.max(1, Number(exact));
}

/** The window that a mode allows at a rate, bytes; 0 = no window. */
export function windowInUse(mode: WindowMode, numbers: RateNumbers, windowBytes: number, rateBps: number,
  maxRateBps: number): number {
  if (mode === 'none') return 0;
  return mode === 'fixed' ? windowBytes : windowAtRate(numbers, windowBytes, rateBps, maxRateBps);
}

/** Transmission time of `lenBytes` at a rate, nanoseconds, with the rounding of the reference simulator. */
export function txTimeNs(lenBytes: number, rateBps: number): number {
  const seconds = (lenBytes * 8) / rateBps;
  // Exact: of a double that is scaled by a power of two, only whole bits are cut off.
  const scaled = BigInt(Math.floor(seconds * TWO_64));
  return Number((scaled * NS_PER_SECOND) >> 64n);
}

/** Time for which a packet of `lenBytes` keeps the limiter busy at a rate, picoseconds. */
export function sendGapPs(gap: SendGap, lenBytes: number, rateBps: number): number {
  if (gap === 'ns3-nanoseconds') return txTimeNs(lenBytes, rateBps) * 1000;
  return Math.ceil((lenBytes * 8e12) / rateBps);
}

/** A packet left at this time: the next one may follow after its gap. */
export function paceSent(gap: SendGap, pace: SendPace, timePs: number, lenBytes: number, rateBps: number): void {
  pace.lastLenBytes = lenBytes;
  pace.nextSendPs = timePs + sendGapPs(gap, lenBytes, rateBps);
}

/** The rate changes: the running gap is stretched or shortened as if the new rate had held from its start. */
export function paceRateChange(gap: SendGap, pace: SendPace, oldRateBps: number, newRateBps: number): void {
  const { lastLenBytes } = pace;
  if (oldRateBps === newRateBps) return;
  pace.nextSendPs += sendGapPs(gap, lastLenBytes, newRateBps) - sendGapPs(gap, lastLenBytes, oldRateBps);
}
