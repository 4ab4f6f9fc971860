/**
 * Rates, windows and gaps in the arithmetic of the ns-3 reference simulator, and in plain doubles.
 *
 * In the simulator a rate is a 64-bit integer of bits per second. A product or quotient with a double is computed as a
 * double and truncated; a window is a division of 64-bit integers; a transmission time is
 *
 *   x = double(8 B) / R seconds,   lo = floor(x 2^64),   ns = floor(lo 10^9 / 2^64)
 *
 * which is the exact time rounded up, minus 1 ns (sometimes the exact time): links are slightly faster than nominal.
 *
 * Where 2^53 is not enough the code below uses BigInt. The kernel uses 64-bit integers: the window is one u64
 * product and division (validation keeps the product below 2^64); for times below 1 s, with lo = 2^32 h + l,
 * ns = (10^9 h + (10^9 l >> 32)) >> 32.
 *
 * Source: measurements of alibaba-edu/High-Precision-Congestion-Control at 9f4be2a.
 */
import type { SendPace } from '../../abi/state/state-record.js';
import type { RateNumbers, SendGap, WindowMode } from '../../config/algorithms/algorithm.js';

const NS_PER_SECOND = 1_000_000_000n;
const TWO_64 = 2 ** 64;

/** Rounds a computed, non-negative rate to the precision of the policy. */
export function roundRate(numbers: RateNumbers, rateBps: number): number {
  return numbers === 'whole-bps' ? Math.floor(rateBps) : rateBps;
}

/**
 * The window at a rate, at least one byte.
 *
 *   whole-bps  max(1, floor(W R / L)) in integers      float64  max(1, W R / L)
 */
export function windowAtRate(numbers: RateNumbers, windowBytes: number, rateBps: number, maxRateBps: number): number {
  if (numbers === 'float64') return Math.max(1, (windowBytes * rateBps) / maxRateBps);
  const exact = (BigInt(windowBytes) * BigInt(rateBps)) / BigInt(maxRateBps);
  return Math.max(1, Number(exact));
}

/** The window at a rate under a window mode, bytes; 0 = no window. */
export function windowInUse(mode: WindowMode, numbers: RateNumbers, windowBytes: number, rateBps: number,
  maxRateBps: number): number {
  if (mode === 'none') return 0;
  return mode === 'fixed' ? windowBytes : windowAtRate(numbers, windowBytes, rateBps, maxRateBps);
}

/** Transmission time of `lenBytes` at a rate, nanoseconds, with the rounding of the reference simulator. */
export function txTimeNs(lenBytes: number, rateBps: number): number {
  const seconds = (lenBytes * 8) / rateBps;
  // Exact: scaling by a power of two loses no bits before the floor.
  const scaled = BigInt(Math.floor(seconds * TWO_64));
  return Number((scaled * NS_PER_SECOND) >> 64n);
}

/** Gap after a packet of `lenBytes` at a rate, picoseconds. */
export function sendGapPs(gap: SendGap, lenBytes: number, rateBps: number): number {
  if (gap === 'ns3-nanoseconds') return txTimeNs(lenBytes, rateBps) * 1000;
  return Math.ceil((lenBytes * 8e12) / rateBps);
}

/** A packet was sent at this time: the next one may follow after its gap. */
export function paceSent(gap: SendGap, pace: SendPace, timePs: number, lenBytes: number, rateBps: number): void {
  pace.lastLenBytes = lenBytes;
  pace.nextSendPs = timePs + sendGapPs(gap, lenBytes, rateBps);
}

/** The rate changes: the running gap is adjusted as if the new rate had applied from its start. */
export function paceRateChange(gap: SendGap, pace: SendPace, oldRateBps: number, newRateBps: number): void {
  const { lastLenBytes } = pace;
  if (oldRateBps === newRateBps) return;
  pace.nextSendPs += sendGapPs(gap, lastLenBytes, newRateBps) - sendGapPs(gap, lastLenBytes, oldRateBps);
}
