/** Formats times and durations of a run to the nanosecond. */
import { PS_PER_US } from '../unit-sizes.js';

const NS_DIGITS = 3;

/** Microseconds to the nanosecond, rounded down: `1,234.567 us`. */
export function nsText(timePs: number): string {
  const us = Math.floor(timePs / 1e3) * 1e3 / PS_PER_US;
  return `${us.toLocaleString('en-US', { minimumFractionDigits: NS_DIGITS, maximumFractionDigits: NS_DIGITS })} µs`;
}
