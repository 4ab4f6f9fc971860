/**
 * Packet sequence numbers (PSNs) have 24 bits and wrap around; order follows the shorter distance (IBTA volume 1,
 * section 9.7).
 */

/** Number of PSNs. */
const PSN_COUNT = 2 ** 24;
const PSN_MASK = PSN_COUNT - 1;
const SIGN_SHIFT = 8;

/** Value of a PSN that is not known yet. */
export const UNKNOWN = -1;

/** How far `psn` is ahead of `from`, -2^23..2^23 - 1; negative if it is behind. */
export function psnsAhead(psn: number, from: number): number {
  return ((psn - from) << SIGN_SHIFT) >> SIGN_SHIFT;
}

/** The PSN `count` after `psn`. */
export function psnAfter(psn: number, count: number): number {
  return (psn + count) & PSN_MASK;
}
