/**
 * Output of the reader: single frames, or batches of frames in columns, their times relative to an instant, and limits
 * of their size.
 *
 * Nanoseconds since the epoch need 61 bits, more than the 53 of a JS number, so the reader keeps seconds and
 * picoseconds apart. A single number of picoseconds counts from an origin, usually the first frame.
 *
 * Length fields are not trusted: a file that exceeds the limits is rejected as damaged.
 */
import { RoceError, type Allowed } from '../errors.js';

/** An exact instant: whole seconds since the Unix epoch and the picoseconds within that second. */
export interface CaptureTime {
  /** False for frames whose record carries no time (pcapng simple packet blocks); the other two fields are then 0. */
  readonly hasTime: boolean;
  /** Seconds since 1970-01-01 00:00 UTC, an integer; negative before. */
  readonly epochSeconds: number;
  /** Picoseconds within the second, an integer, 0 to 10^12 - 1. */
  readonly picoseconds: number;
}

/** One captured frame. */
export interface CaptureFrame extends CaptureTime {
  /** The captured bytes, starting at the link header. */
  readonly bytes: Uint8Array;
  /** Number of captured bytes. */
  readonly capturedBytes: number;
  /** Length of the frame on the wire according to the file, bytes; above `capturedBytes` if the frame was truncated. */
  readonly originalBytes: number;
  /** Link-layer header type, one of the `LINK_TYPE_*` constants or any other number below 65536. */
  readonly linkType: number;
  /** Index of the interface within its section; 0 in a pcap file. */
  readonly interfaceId: number;
  /** Index of the pcapng section, counted from 0; 0 in a pcap file. */
  readonly section: number;
}

const PICOSECONDS_PER_SECOND = 1e12;
/** Maximum frames per batch; a batch of this size takes 1.5 GiB. */
const BATCH_CAPACITY_MAX = 2 ** 25;

/**
 * Frames in columns: entry `i` of each column, `0 <= i < count`, belongs to frame `i`. The reader reuses one batch, so its
 * contents are valid only until the next batch is requested; `bytes` may then be a different buffer.
 */
export class CaptureBatch {
  /** Maximum number of frames. */
  readonly capacity: number;
  /** Number of frames in this batch. */
  count = 0;
  /** The buffer that holds the bytes of every frame of this batch (and record headers between them). */
  bytes: Uint8Array = new Uint8Array(0);
  /** Offset of each frame in `bytes`. */
  readonly offsets: Uint32Array;
  /** Number of captured bytes of each frame. */
  readonly capturedBytes: Uint32Array;
  /** Length of each frame on the wire, bytes. */
  readonly originalBytes: Uint32Array;
  /** 1 if the frame has a time, else 0. */
  readonly timed: Uint8Array;
  /** Capture time of each frame: whole seconds since 1970. */
  readonly epochSeconds: Float64Array;
  /** Picoseconds within the second of each capture time, 0 to 10^12 - 1. */
  readonly picoseconds: Float64Array;
  /** LINKTYPE of each frame, as numbered by tcpdump.org. */
  readonly linkTypes: Uint16Array;
  /** Interface of each frame, counted within its section; 0 in pcap. */
  readonly interfaceIds: Uint32Array;
  /** Section of each frame, counted from 0; 0 in pcap. */
  readonly sections: Uint32Array;

  constructor(capacity: number) {
    if (!(Number.isInteger(capacity) && capacity >= 0 && capacity <= BATCH_CAPACITY_MAX)) {
      const allowed = { min: 0, max: BATCH_CAPACITY_MAX, multipleOf: 1 };
      throw new RoceError('invalid-argument', { where: 'capacity', got: capacity, allowed });
    }
    this.capacity = capacity;
    this.offsets = new Uint32Array(capacity);
    this.capturedBytes = new Uint32Array(capacity);
    this.originalBytes = new Uint32Array(capacity);
    this.timed = new Uint8Array(capacity);
    this.epochSeconds = new Float64Array(capacity);
    this.picoseconds = new Float64Array(capacity);
    this.linkTypes = new Uint16Array(capacity);
    this.interfaceIds = new Uint32Array(capacity);
    this.sections = new Uint32Array(capacity);
  }
}

/**
 * Returns frame `index` of a batch as an object; its `bytes` is a view, valid as long as the batch.
 *
 * @throws RoceError `invalid-argument` when the batch has no such frame
 */
export function viewFrame(batch: CaptureBatch, index: number): CaptureFrame {
  requireBatch(batch);
  if (!Number.isInteger(index) || index < 0 || index >= batch.count) {
    const allowed = { min: 0, max: batch.count - 1, multipleOf: 1 };
    throw new RoceError('invalid-argument', { what: 'the index of the frame', got: index, allowed, where: 'index' });
  }
  const offset = entry(batch.offsets, index);
  const capturedBytes = entry(batch.capturedBytes, index);
  return {
    hasTime: batch.timed[index] === 1,
    epochSeconds: entry(batch.epochSeconds, index),
    picoseconds: entry(batch.picoseconds, index),
    bytes: batch.bytes.subarray(offset, offset + capturedBytes),
    capturedBytes,
    originalBytes: entry(batch.originalBytes, index),
    linkType: entry(batch.linkTypes, index),
    interfaceId: entry(batch.interfaceIds, index),
    section: entry(batch.sections, index),
  };
}

/**
 * Returns frame `index` of a batch as an object that owns its bytes and may be kept.
 *
 * @throws RoceError `invalid-argument` when the batch has no such frame
 */
export function copyFrame(batch: CaptureBatch, index: number): CaptureFrame {
  const frame = viewFrame(batch, index);
  return { ...frame, bytes: new Uint8Array(frame.bytes) };
}

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
export function requireBatch(batch: CaptureBatch): void {
  if (batch instanceof CaptureBatch) return;
  throw new RoceError('invalid-argument', { where: 'batch', got: batch, allowed: 'a CaptureBatch' });
}

/** A column's entry; the caller has checked the index. */
function entry(column: ArrayLike<number>, index: number): number {
  return column[index] ?? 0;
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

/** Maximum bytes of one frame, whatever the file states: 16 MiB, far above a jumbo frame or an offloaded segment. */
export const MAX_CAPTURED_BYTES = 16 * 1024 * 1024;

/**
 * A frame may exceed the snap length in the file's header by up to 256 KiB, the usual snap length: many writers state a
 * smaller snap length than they use. A longer frame is treated as damage.
 */
export const SNAP_LENGTH_SLACK_BYTES = 256 * 1024;

/** Longest pcapng block that is read as a whole: the largest frame, plus 1 MiB for options. Skipped blocks may be longer. */
export const MAX_BLOCK_BYTES = MAX_CAPTURED_BYTES + 1024 * 1024;

/** Maximum interfaces per pcapng section, so that a file full of descriptions cannot exhaust memory. */
export const MAX_INTERFACES = 65536;

/** Maximum bytes of a frame for a snap length; a snap length of 0 means no limit. */
export function capturedBytesLimit(snapLengthBytes: number): number {
  if (snapLengthBytes === 0) return MAX_CAPTURED_BYTES;
  return Math.min(MAX_CAPTURED_BYTES, snapLengthBytes + SNAP_LENGTH_SLACK_BYTES);
}

/** Seconds that a number represents exactly. */
export const SAFE_SECONDS = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, unit: 's' };

/** The error for a damaged or unknown file; `offset` is a byte offset in the decompressed capture. */
export function invalidCapture(what: string, got: unknown, allowed: Allowed, offset: number): RoceError {
  return new RoceError('invalid-capture', { what, got, allowed, where: `byte offset ${offset} of the capture` });
}
