/**
 * Memory limits of a capture. Length fields are not trusted: a file that exceeds these values is rejected as damaged.
 */
import { RoceError, type Allowed } from '../errors.js';

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
