/** Formats numbers with units, for the terminal, reports and pages. */
import type { MetricUnit } from '../sim/metrics.js';

const DIGITS = 4;

/** Formats a metric's value. Means of counts have a fraction. */
export function formatByUnit(value: number, unit: MetricUnit): string {
  switch (unit) {
    case 'ps':
      return value === 0 ? '0' : formatDuration(value);
    case 'B':
      return formatBytes(value);
    case 'bps':
      return formatRate(value);
    case 'ratio':
      return formatPlain(value);
    default:
      return Math.abs(value) >= 1e3 || Number.isInteger(value) ? formatCount(value) : formatPlain(value);
  }
}

/** A count: `20,890`. */
export function formatCount(count: number): string {
  return grouped(count);
}

/** A size in decimal units: `21.97 MB`. */
export function formatBytes(bytes: number): string {
  return scaled(bytes, ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'], 1e3);
}

/** A rate: `100 Gb/s`. */
export function formatRate(rateBps: number): string {
  return scaled(rateBps, ['b/s', 'kb/s', 'Mb/s', 'Gb/s', 'Tb/s'], 1e3);
}

/** A duration: `2.022 ms`. */
export function formatDuration(durationPs: number): string {
  return scaled(durationPs, ['ps', 'ns', 'µs', 'ms', 's'], 1e3);
}

/** At most four significant digits, without an exponent. */
export function formatDigits(value: number): string {
  if (value === 0) return '0';
  const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
  return value.toFixed(Math.max(0, Math.min(6, DIGITS - whole)));
}

/** At most four significant digits, without trailing zeros: 0.1, 100. */
export function formatPlain(value: number): string {
  return String(Number(formatDigits(value)));
}

function scaled(value: number, units: readonly string[], step: number): string {
  let index = 0;
  let rest = value;
  // A value that would be rounded up to a whole step is shown in the next unit.
  while (Math.abs(rest) >= step - 0.05 && index < units.length - 1) {
    rest /= step;
    index++;
  }
  const digits = index === 0 ? grouped(rest) : formatPlain(rest);
  return `${digits} ${units[index] ?? ''}`;
}

/** Groups digits as Intl.NumberFormat does for en-US, without its cost of 12 ms and 7 MB. */
function grouped(value: number): string {
  return value.toFixed(0).replaceAll(/\B(?=(?:\d{3}){1,7}$)/g, ',');
}
