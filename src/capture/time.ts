/**
 * Times relative to an instant. Nanoseconds since the epoch need 61 bits, more than the 53 of a JS number, so the
 * reader keeps seconds and picoseconds apart. A single number of picoseconds counts from an origin, usually the first
 * frame.
 */
import { requireBatch } from './frame.js';
import { RoceError } from '../errors.js';
import type { CaptureBatch, CaptureTime } from './frame.js';

const PICOSECONDS_PER_SECOND = 1e12;

/**
 * Picoseconds from `origin` to `time`, an integer; negative if `time` is earlier.
 *
 * @throws RoceError `invalid-argument` if either has no time, or if they are more than 2^53 - 1 ps (2.5 h) apart
 *
 * @example
 * const sincePs = timePsSince(frame, firstFrame);
 */
export function timePsSince(time: CaptureTime, origin: CaptureTime): number {
  requireTime('time', time);
  requireTime('origin', origin);
  if (!time.hasTime || !origin.hasTime) {
    throw noTime(time.hasTime ? 'origin' : 'time');
  }
  return checkedDifferencePs(time.epochSeconds - origin.epochSeconds, time.picoseconds - origin.picoseconds);
}

/**
 * Writes the time of each frame of `batch`, in picoseconds from `origin`, to the front of `target`; NaN for frames
 * without a time.
 *
 * @throws RoceError `invalid-argument` if `origin` has no time, if `target` is shorter than the batch, or if a frame is
 * more than 2^53 - 1 ps (2.5 h) from `origin`
 */
export function batchTimesPsInto(batch: CaptureBatch, origin: CaptureTime, target: Float64Array): void {
  requireBatch(batch);
  requireTime('origin', origin);
  if (!origin.hasTime) throw noTime('origin');
  if (!(target instanceof Float64Array)) {
    throw new RoceError('invalid-argument', { where: 'target', got: target, allowed: 'a Float64Array' });
  }
  if (target.length < batch.count) {
    const allowed = { min: batch.count };
    throw new RoceError('invalid-argument', {
      what: 'the length of the target',
      got: target.length,
      allowed,
      where: 'target',
    });
  }
  for (let i = 0; i < batch.count; i++) {
    const seconds = (batch.epochSeconds[i] ?? 0) - origin.epochSeconds;
    const picoseconds = (batch.picoseconds[i] ?? 0) - origin.picoseconds;
    target[i] = batch.timed[i] === 1 ? checkedDifferencePs(seconds, picoseconds) : NaN;
  }
}

/** Guards against untyped callers. */
function requireTime(where: string, time: CaptureTime): void {
  const { epochSeconds, picoseconds } = (time as CaptureTime | null | undefined) ?? {};
  if (Number.isInteger(epochSeconds) && Number.isInteger(picoseconds)) return;
  const allowed = 'a record { hasTime, epochSeconds, picoseconds } of whole numbers';
  throw new RoceError('invalid-argument', { where, got: time, allowed });
}

function checkedDifferencePs(seconds: number, picoseconds: number): number {
  const differencePs = seconds * PICOSECONDS_PER_SECOND + picoseconds;
  if (Number.isSafeInteger(differencePs)) return differencePs;
  const allowed = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, unit: 'ps' };
  const what = 'the time from the origin to the frame';
  throw new RoceError('invalid-argument', { what, got: differencePs, allowed, where: 'time', hint: 'That is 2.5 h' });
}

function noTime(where: string): RoceError {
  return new RoceError('invalid-argument', { what: `the ${where}`, problem: 'has no time to compare', where });
}
