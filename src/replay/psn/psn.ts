/** Packet sequence numbers, PSNs: 24 bits, so that order is a matter of the shorter way round (IBTA volume 1, section 9.7). */

/** Number of PSNs. */
const PSN_COUNT = 2 ** 24;
const PSN_MASK = PSN_COUNT - 1;
const SIGN_SHIFT = 8;

/** No PSN yet. */
export const UNKNOWN = -1;

/** How far `psn` is ahead of `from`, -2^23..2^23 - 1: negative = behind. */
export function psnsAhead(psn: number, from: number): number {
  return ((psn - from) << SIGN_SHIFT) >> SIGN_SHIFT;
}

/** The PSN `count` behind `psn` in the sequence. */
export function psnAfter(psn: number, count: number): number {
  return (psn + count) & PSN_MASK;
}
