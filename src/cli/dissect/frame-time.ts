/** Times of frames as text, exact: captures hold more digits than a number does. */
import { timePsSince, type CaptureTime } from '../../capture/index.js';

const DIGITS = 9;
const PS_PER_NS = 1000;

/** Seconds since the epoch with nine decimals (picoseconds are cut off). */
export function formatFrameTime({ epochSeconds, picoseconds }: CaptureTime): string {
  return `${epochSeconds}.${String(Math.floor(picoseconds / PS_PER_NS)).padStart(DIGITS, '0')}`;
}

/** Seconds from the first frame with a time, nine decimals; `-` when there is none. */
export function secondsSince(time: CaptureTime, first: CaptureTime | undefined): string {
  if (!time.hasTime || first === undefined) return '-';
  return (timePsSince(time, first) / 1e12).toFixed(DIGITS);
}
