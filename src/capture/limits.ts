/**
 * What a capture may ask of memory. Length fields are not trusted: above these values a file counts as damaged.
 */
import { RoceError, type Allowed } from '../errors.js';

/** Most bytes that one frame may hold, whatever the file says: 16 MiB, far above a jumbo frame or an offloaded segment. */
export const MAX_CAPTURED_BYTES = 16 * 1024 * 1024;

/**
 * A frame may be longer than the snap length in the file's header by this much: 256 KiB, the usual snap length. Writers
 * that announce a smaller snap length than they use are common; a length beyond this is taken for damage.
 */
export const SNAP_LENGTH_SLACK_BYTES = 256 * 1024;

/** Longest pcapng block that is read as a whole: the largest frame, with 1 MiB for options. Skipped blocks may be longer. */
export const MAX_BLOCK_BYTES = MAX_CAPTURED_BYTES + 1024 * 1024;

/** Most interfaces per pcapng section, so that a file of nothing but descriptions can't fill the memory. */
export const MAX_INTERFACES = 65536;

/** Most bytes that a frame may hold under this snap length; a snap length of 0 means "no limit". */
export function capturedBytesLimit(snapLengthBytes: number): number {
  if (snapLengthBytes === 0) return MAX_CAPTURED_BYTES;
  return Math.min(MAX_CAPTURED_BYTES, snapLengthBytes + SNAP_LENGTH_SLACK_BYTES);
}

/** Times that a number holds exactly. */
export const SAFE_SECONDS = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, unit: 's' };

/** The error for a damaged or foreign file; `offset` counts bytes of the capture after decompression. */
export function invalidCapture(what: string, got: unknown, allowed: Allowed, offset: number): RoceError {
  return new RoceError('invalid-capture', { what, got, allowed, where: `byte offset ${offset} of the capture` });
}
