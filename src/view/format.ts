/** Formats numbers with units for the terminal, reports and pages, and escapes text. */
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

/** A unit, and its size in base units. */
export interface Unit {
  readonly name: string;
  readonly size: number;
}

export const TIME_UNITS: readonly Unit[] = [
  { name: 's', size: 1e12 },
  { name: 'ms', size: 1e9 },
  { name: 'µs', size: 1e6 },
  { name: 'ns', size: 1e3 },
  { name: 'ps', size: 1 },
];
export const BYTE_UNITS: readonly Unit[] = [
  { name: 'GB', size: 1e9 },
  { name: 'MB', size: 1e6 },
  { name: 'kB', size: 1e3 },
  { name: 'B', size: 1 },
];
export const RATE_UNITS: readonly Unit[] = [
  { name: 'Tb/s', size: 1e12 },
  { name: 'Gb/s', size: 1e9 },
  { name: 'Mb/s', size: 1e6 },
  { name: 'kb/s', size: 1e3 },
  { name: 'b/s', size: 1 },
];

export const PERCENT: Unit = { name: '%', size: 0.01 };
export const NO_UNIT: Unit = { name: '', size: 1 };

/** Title of an axis, with its unit. */
export function axisText(title: string, { name }: Unit): string {
  return name === '' ? title : `${title} (${name})`;
}

/** The largest unit that is not larger than the value. */
export function unitFor(value: number, units: readonly Unit[]): Unit {
  const smallest = units[units.length - 1] ?? { name: '', size: 1 };
  if (value === 0) return smallest;
  return units.find(({ size }) => Math.abs(value) >= size) ?? smallest;
}

const PRECISE_DIGITS = 6;
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** Formats a number to three significant digits; integers keep all digits. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value)) return WHOLE.format(value);
  if (Math.abs(value) >= 100) return WHOLE.format(value);
  return String(Number(value.toPrecision(3)));
}

/** Text of a tick, in the axis's unit. */
export function tickText(value: number, { size }: Unit): string {
  return shortNumber(Number((value / size).toPrecision(PRECISE_DIGITS)));
}

/** Texts of an axis's ticks, with more digits if short ones would be equal. */
export function tickTexts(values: readonly number[], unit: Unit): string[] {
  const texts = values.map((value) => tickText(value, unit));
  if (new Set(texts).size === texts.length) return texts;
  return values.map((value) => String(Number((value / unit.size).toPrecision(PRECISE_DIGITS))));
}

/** Formats a value in the unit that fits it. Without units it is a plain number; a count keeps all its digits. */
export const scaledText = (value: number, units: readonly Unit[]): string => {
  if (!Number.isFinite(value)) return '–';
  const { name, size } = unitFor(value, units);
  if (name === '') return shortNumber(value);
  return `${shortNumber(Number((value / size).toPrecision(4)))} ${name}`.trim();
};

export const timeText = (timePs: number): string => (timePs === 0 ? '0 µs' : scaledText(timePs, TIME_UNITS));
export const bytesText = (bytes: number): string => scaledText(bytes, BYTE_UNITS);
export const rateText = (rateBps: number): string => scaledText(rateBps, RATE_UNITS);
/** Formats a value with more digits, for values that differ only slightly. */
export function preciseText(value: number, units: readonly Unit[]): string {
  const { name, size } = unitFor(value, units);
  return `${Number((value / size).toPrecision(PRECISE_DIGITS))} ${name}`;
}
export const percentText = (share: number): string => `${shortNumber(Number((100 * share).toPrecision(3)))} %`;

/** Units by the suffix of a key's name, for display: values are divided by `size`. */
const SUFFIXES: readonly (readonly [RegExp, Unit])[] = [
  [/Ps$/, { name: 'µs', size: 1e6 }],
  [/Bps$/, { name: 'Mb/s', size: 1e6 }],
  [/(Bytes)$/, { name: 'B', size: 1 }],
  [/KB$/, { name: 'kB', size: 1 }],
  [/Us$/, { name: 'µs', size: 1 }],
  [/Ns$/, { name: 'ns', size: 1 }],
  [/Gbps$/, { name: 'Gb/s', size: 1 }],
  [/PerSecond$/, { name: '/s', size: 1 }],
  [/Packets$/, { name: 'packets', size: 1 }],
];

export function unitOfKey(key: string): Unit {
  return SUFFIXES.find(([suffix]) => suffix.test(key))?.[1] ?? { name: '', size: 1 };
}

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  ai: 'AI',
  hai: 'HAI',
  rtt: 'RTT',
  mtu: 'MTU',
  cnp: 'CNP',
  ecn: 'ECN',
  pfc: 'PFC',
  irn: 'IRN',
  drill: 'DRILL',
  conga: 'CONGA',
  kmin: 'Kmin',
  kmax: 'Kmax',
  pmax: 'Pmax',
};

/** A key as words, without its unit: `CNP interval` of `cnpIntervalUs`. */
export function wordsOfKey(key: string): string {
  const words = key.replace(/(?<=[a-z])(Ps|Bps|Bytes|KB|Us|Ns|Gbps)$/, '').replaceAll(/(?<=[a-z0-9])[A-Z]/g, ' $&')
    .toLowerCase().split(' ').map((word) => ABBREVIATIONS[word] ?? word).join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes external text, such as scenario names, for HTML and SVG. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** A count with its noun: `1 frame`, `2 frames`. */
export function formatCountOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A measured speed to three digits: `1.61 million frames/s`. */
export function formatPerSecond(perSecond: number, noun: string): string {
  if (perSecond >= 1e6) return `${(perSecond / 1e6).toPrecision(3)} million ${noun}/s`;
  return `${formatCount(Number(perSecond.toPrecision(3)))} ${noun}/s`;
}

/** A percentage: `92.8 %`. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** Wall-clock time: `340 ms`, `1.23 s`. */
export function formatSeconds(seconds: number): string {
  return seconds < 1 ? `${(seconds * 1e3).toPrecision(3)} ms` : `${seconds.toPrecision(3)} s`;
}

/** A queue pair number of 24 bits, as analysers and drivers print it: `0x00a1b2`. */
export function formatQpn(qpn: number): string {
  return `0x${qpn.toString(16).padStart(6, '0')}`;
}
