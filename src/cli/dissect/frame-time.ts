/** Formats frame times exactly: captures have more digits than a JavaScript number can hold. */
import type { CaptureTime } from '../../capture/index.js';
import { PS_PER_NS, PS_PER_SECOND } from '../../unit-sizes.js';

const DIGITS = 9;
const EXACT_DIGITS = 12;

/** Seconds since the epoch with nine decimals, or with twelve if there are picoseconds. */
export function formatExactTime({ epochSeconds, picoseconds }: CaptureTime): string {
  if (picoseconds % PS_PER_NS === 0) return formatTime(epochSeconds, picoseconds);
  return `${epochSeconds}.${String(picoseconds).padStart(EXACT_DIGITS, '0')}`;
}

/** Formats to nine decimals, truncating picoseconds. */
function formatTime(epochSeconds: number, picoseconds: number): string {
  return `${epochSeconds}.${String(Math.floor(picoseconds / PS_PER_NS)).padStart(DIGITS, '0')}`;
}

/** Seconds since the first frame with a timestamp, to nine decimals; `-` if the frame has none. */
export function secondsSince(time: CaptureTime, first: CaptureTime | undefined): string {
  if (!time.hasTime || first === undefined) return '-';
  return isEarlier(time, first) ? `-${difference(first, time)}` : difference(time, first);
}

function isEarlier(a: CaptureTime, b: CaptureTime): boolean {
  return a.epochSeconds < b.epochSeconds || (a.epochSeconds === b.epochSeconds && a.picoseconds < b.picoseconds);
}

/** Time difference, computed without numbers too large to be exact. */
function difference(later: CaptureTime, earlier: CaptureTime): string {
  const borrows = later.picoseconds < earlier.picoseconds;
  const picoseconds = later.picoseconds - earlier.picoseconds + (borrows ? PS_PER_SECOND : 0);
  const epochSeconds = later.epochSeconds - earlier.epochSeconds - (borrows ? 1 : 0);
  return formatTime(epochSeconds, picoseconds);
}
