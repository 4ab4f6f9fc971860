/** Formats numbers for the command line. Formats that pages share are in src/view/format.ts. */
import { formatCount } from '../view/format.js';

export { formatBytes, formatCount, formatDigits, formatDuration, formatPlain, formatRate } from '../view/format.js';

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
