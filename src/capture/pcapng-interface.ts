/**
 * The interface description block of pcapng: link type u16 | reserved u16 | snap length u32 | options. Only the options
 * if_tsresol and if_tsoffset are read; the others are skipped.
 *
 * Source: draft-ietf-opsawg-pcapng, sections 3.5 (options) and 4.2.
 */
import { capturedBytesLimit, invalidCapture, SAFE_SECONDS } from './limits.js';
import { DEFAULT_RESOLUTION, TickClock } from './tick-clock.js';

const SNAP_LENGTH = 4;
const OPTIONS = 8;

const OPTION_HEADER_BYTES = 4;
const OPTION_END = 0;
const OPTION_RESOLUTION = 9;
const OPTION_RESOLUTION_BYTES = 1;
const OPTION_OFFSET = 14;
const OPTION_OFFSET_BYTES = 8;

export interface CaptureInterface {
  readonly linkType: number;
  /** Snap length from the file; 0 = no limit. */
  readonly snapLengthBytes: number;
  /** Maximum accepted frame size. */
  readonly maxCapturedBytes: number;
  readonly clock: TickClock;
}

/** The position of a block's body: fields in `view`, and its offset for errors. */
export interface BlockBody {
  readonly view: DataView;
  readonly littleEndian: boolean;
  /** First byte of the body in `view`; `end` is the byte after the last. */
  readonly start: number;
  readonly end: number;
  /** Stream offset of position 0 of `view`. */
  readonly origin: number;
}

/** @throws RoceError `invalid-capture` for an option that extends beyond the block or has the wrong length */
export function readInterface(body: BlockBody): CaptureInterface {
  const { view, littleEndian, start } = body;
  const snapLengthBytes = view.getUint32(start + SNAP_LENGTH, littleEndian);
  let resolution = DEFAULT_RESOLUTION;
  let offsetSeconds = 0;
  for (let at = start + OPTIONS; at < body.end;) {
    const code = view.getUint16(at, littleEndian);
    if (code === OPTION_END) break;
    const value = at + OPTION_HEADER_BYTES;
    const lengthBytes = optionLength(body, at);
    if (code === OPTION_RESOLUTION) {
      checkLength(body, at, lengthBytes, OPTION_RESOLUTION_BYTES);
      resolution = view.getUint8(value);
    } else if (code === OPTION_OFFSET) {
      checkLength(body, at, lengthBytes, OPTION_OFFSET_BYTES);
      offsetSeconds = readOffsetSeconds(body, value);
    }
    at = value + Math.ceil(lengthBytes / 4) * 4;
  }
  return {
    linkType: view.getUint16(start, littleEndian),
    snapLengthBytes,
    maxCapturedBytes: capturedBytesLimit(snapLengthBytes),
    clock: new TickClock(resolution, offsetSeconds),
  };
}

/** Length of the option at `at`. The body length is a multiple of 4, so the option's header is inside the body. */
function optionLength(body: BlockBody, at: number): number {
  const lengthBytes = body.view.getUint16(at + 2, body.littleEndian);
  const room = body.end - at - OPTION_HEADER_BYTES;
  if (lengthBytes <= room) return lengthBytes;
  throw invalidCapture('the length of the option', lengthBytes, { max: room, unit: 'bytes' }, body.origin + at);
}

function checkLength(body: BlockBody, at: number, got: number, wanted: number): void {
  if (got === wanted) return;
  throw invalidCapture('the length of the option', got, { min: wanted, max: wanted, unit: 'bytes' }, body.origin + at);
}

function readOffsetSeconds(body: BlockBody, at: number): number {
  const { view, littleEndian } = body;
  const high = view.getInt32(littleEndian ? at + 4 : at, littleEndian);
  const low = view.getUint32(littleEndian ? at : at + 4, littleEndian);
  const seconds = high * 2 ** 32 + low;
  if (Number.isSafeInteger(seconds)) return seconds;
  throw invalidCapture('the time offset', seconds, SAFE_SECONDS, body.origin + at);
}
