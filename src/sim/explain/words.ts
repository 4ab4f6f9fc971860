/** Numbers and counts in words. */
import { number } from '../../error-text.js';

const PS_UNITS = [[1e12, 's'], [1e9, 'ms'], [1e6, 'µs'], [1e3, 'ns'], [1, 'ps']] as const;
const BYTE_UNITS = [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'bytes']] as const;
const BPS_UNITS = [[1e12, 'Tb/s'], [1e9, 'Gb/s'], [1e6, 'Mb/s'], [1, 'b/s']] as const;
const PERCENT = 100;

export const timeWords = (timePs: number): string => scaled(timePs, PS_UNITS);
export const bytesWords = (bytes: number): string => scaled(bytes, BYTE_UNITS);
export const rateWords = (rateBps: number): string => scaled(rateBps, BPS_UNITS);
export const percentWords = (share: number): string => `${threeDigits(PERCENT * share)} %`;

/** `1 flow`, `2 flows`. */
export function countWords(count: number, noun: string): string {
  return `${wholeWords(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1,234,567`: as in the tables. */
export function wholeWords(count: number): string {
  return number(count);
}

/** `1 packet was`, `2 packets were`. */
export function wereWords(count: number, noun: string): string {
  return `${countWords(count, noun)} ${count === 1 ? 'was' : 'were'}`;
}

function scaled(value: number, units: readonly (readonly [number, string])[]): string {
  const [size, name] = units.find(([least]) => value >= least) ?? units[units.length - 1];
  return `${threeDigits(value / size)} ${name}`;
}

function threeDigits(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
