/**
 * Units: times are integer picoseconds, rates bits per second, sizes bytes, all plain numbers.
 */
import { RoceError } from './errors.js';

/** Nanoseconds as picoseconds. */
export const ns = (value: number): number => Math.round(times(value, 1e3));
/** Microseconds as picoseconds. */
export const us = (value: number): number => Math.round(times(value, 1e6));
/** Milliseconds as picoseconds. */
export const ms = (value: number): number => Math.round(times(value, 1e9));
/** Seconds as picoseconds. */
export const seconds = (value: number): number => Math.round(times(value, 1e12));
/** Megabits per second as bits per second. */
export const mbps = (value: number): number => times(value, 1e6);
/** Gigabits per second as bits per second. */
export const gbps = (value: number): number => times(value, 1e9);
/** Kilobytes (10^3) as bytes. */
export const kB = (value: number): number => times(value, 1e3);
/** Megabytes (10^6) as bytes. */
export const MB = (value: number): number => times(value, 1e6);

function times(value: number, unit: number): number {
  if (typeof value === 'number') return value * unit;
  throw new RoceError('invalid-argument', { where: 'value', got: value, allowed: 'a number' });
}
