/** Units: times are integer picoseconds, rates bits per second, sizes bytes, all plain numbers. */
import { RoceError } from './errors.js';

export const PS_PER_NS = 1e3;
export const PS_PER_US = 1e6;
export const PS_PER_MS = 1e9;
export const PS_PER_SECOND = 1e12;
export const NS_PER_US = 1e3;
export const NS_PER_MS = 1e6;
export const NS_PER_SECOND = 1e9;
export const US_PER_MS = 1e3;
export const US_PER_SECOND = 1e6;
export const BITS_PER_BYTE = 8;
export const BPS_PER_MBPS = 1e6;
export const BPS_PER_GBPS = 1e9;
export const BYTES_PER_KB = 1e3;
export const BYTES_PER_MIB = 2 ** 20;
const BYTES_PER_MB = 1e6;

/** Nanoseconds as picoseconds. */
export const ns = (value: number): number => Math.round(times(value, PS_PER_NS));
/** Microseconds as picoseconds. */
export const us = (value: number): number => Math.round(times(value, PS_PER_US));
/** Milliseconds as picoseconds. */
export const ms = (value: number): number => Math.round(times(value, PS_PER_MS));
/** Seconds as picoseconds. */
export const seconds = (value: number): number => Math.round(times(value, PS_PER_SECOND));
/** Megabits per second as bits per second. */
export const mbps = (value: number): number => times(value, BPS_PER_MBPS);
/** Gigabits per second as bits per second. */
export const gbps = (value: number): number => times(value, BPS_PER_GBPS);
/** Kilobytes (10^3) as bytes. */
export const kB = (value: number): number => times(value, BYTES_PER_KB);
/** Megabytes (10^6) as bytes. */
export const MB = (value: number): number => times(value, BYTES_PER_MB);

function times(value: number, unit: number): number {
  if (typeof value === 'number') return value * unit;
  throw new RoceError('invalid-argument', { where: 'value', got: value, allowed: 'a number' });
}
