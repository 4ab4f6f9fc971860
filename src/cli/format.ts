/** Numbers with units, for people. */

const DIGITS = 4;

/** 20,890 */
export function formatCount(count: number): string {
  return grouped(count);
}

/** `1 frame`, `2 frames`. */
export function formatCountOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Decimal units: 21.97 MB. */
export function formatBytes(bytes: number): string {
  return scaled(bytes, ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'], 1e3);
}

/** 100 Gb/s */
export function formatRate(rateBps: number): string {
  return scaled(rateBps, ['b/s', 'kb/s', 'Mb/s', 'Gb/s', 'Tb/s'], 1e3);
}

/** 2.022 ms */
export function formatDuration(durationPs: number): string {
  return scaled(durationPs, ['ps', 'ns', 'us', 'ms', 's'], 1e3);
}

/** Per second, 1.61 M/s: three digits are enough for a measured speed. */
export function formatPerSecond(perSecond: number, noun: string): string {
  if (perSecond >= 1e6) return `${(perSecond / 1e6).toPrecision(3)} million ${noun}/s`;
  return `${formatCount(Number(perSecond.toPrecision(3)))} ${noun}/s`;
}

/** 92.8 % */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** Seconds of a stopwatch: 0.34 s. */
export function formatSeconds(seconds: number): string {
  return seconds < 1 ? `${(seconds * 1e3).toPrecision(3)} ms` : `${seconds.toPrecision(3)} s`;
}

/** A queue pair number, 0x00a1b2: 24 bits, as analysers and drivers print it. */
export function formatQpn(qpn: number): string {
  return `0x${qpn.toString(16).padStart(6, '0')}`;
}

/** At most four significant digits, without an exponent. */
export function formatDigits(value: number): string {
  if (value === 0) return '0';
  const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
  return value.toFixed(Math.max(0, Math.min(6, DIGITS - whole)));
}

/** The same without zeros at the end: 0.1, 100. */
export function formatPlain(value: number): string {
  return String(Number(formatDigits(value)));
}

function scaled(value: number, units: readonly string[], step: number): string {
  let index = 0;
  let rest = value;
  // Half a unit of the last digit shown below the step already reads as the next unit.
  while (Math.abs(rest) >= step - 0.05 && index < units.length - 1) {
    rest /= step;
    index++;
  }
  const digits = index === 0 ? grouped(rest) : formatPlain(rest);
  return `${digits} ${units[index] ?? ''}`;
}

/** As Intl.NumberFormat has it for en-US, without its 12 ms and 7 MB. */
function grouped(value: number): string {
  return value.toFixed(0).replaceAll(/\B(?=(?:\d{3}){1,7}$)/g, ',');
}
