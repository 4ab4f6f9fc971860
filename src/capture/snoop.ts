/**
 * The snoop format, version 2, all fields big-endian.
 *
 * File header, 16 bytes: "snoop" and three zeros | version u32 | datalink type u32. Record header, 24 bytes: original
 * u32 | captured u32 | length of the record with header and padding u32 | drops so far u32 (not reported) | seconds u32
 * | microseconds u32, then the frame, padded to the length of the record.
 *
 * Source: RFC 1761.
 */
import type { ByteWindow, RecordParser } from './record-parser.js';
import { type CaptureBatch, invalidCapture, MAX_BLOCK_BYTES, MAX_CAPTURED_BYTES } from './frame.js';
import { LINK_TYPE_ETHERNET } from './link-types.js';

/** The first eight bytes of a file. */
export const SNOOP_MAGIC: readonly number[] = Array.from('snoop\0\0\0', (character) => character.charCodeAt(0));

const HEADER_BYTES = 16;
const HEADER_VERSION = 8;
const HEADER_DATALINK = 12;
const VERSION = 2;
/** IEEE 802.3 and Ethernet have the same frames. */
const ETHERNET_DATALINKS = [0, 4];

const RECORD_BYTES = 24;
const RECORD_CAPTURED = 4;
const RECORD_LENGTH = 8;
const RECORD_SECONDS = 16;
const RECORD_MICROSECONDS = 20;

const PICOSECONDS_PER_MICROSECOND = 1e6;
const MICROSECONDS_PER_SECOND = 1e6;

export class SnoopParser implements RecordParser {
  #headerRead = false;

  isAtBorder(): boolean {
    return this.#headerRead;
  }

  parse(window: ByteWindow, batch: CaptureBatch): number {
    if (!this.#headerRead) {
      if (window.length < HEADER_BYTES) return HEADER_BYTES;
      checkHeader(window);
      this.#headerRead = true;
      window.start += HEADER_BYTES;
    }
    while (batch.count < batch.capacity) {
      if (window.length < RECORD_BYTES) return RECORD_BYTES;
      const recordBytes = recordBytesAt(window);
      if (window.length < recordBytes) return recordBytes;
      readRecord(window, batch);
      window.start += recordBytes;
    }
    return 0;
  }
}

function checkHeader(window: ByteWindow): void {
  const { view, start } = window;
  const version = view.getUint32(start + HEADER_VERSION);
  if (version !== VERSION) {
    throw invalidCapture('the version of snoop', version, VERSION, window.streamOffset(start + HEADER_VERSION));
  }
  const datalink = view.getUint32(start + HEADER_DATALINK);
  if (!ETHERNET_DATALINKS.includes(datalink)) {
    const offset = window.streamOffset(start + HEADER_DATALINK);
    throw invalidCapture('the datalink type of snoop', datalink, '0 (IEEE 802.3) or 4 (Ethernet)', offset);
  }
}

/** Size of the record; checks both of its lengths. */
function recordBytesAt(window: ByteWindow): number {
  const { view, start } = window;
  const capturedBytes = view.getUint32(start + RECORD_CAPTURED);
  if (capturedBytes > MAX_CAPTURED_BYTES) {
    const allowed = { max: MAX_CAPTURED_BYTES, unit: 'bytes' };
    throw invalidCapture('the captured length', capturedBytes, allowed, window.streamOffset(start));
  }
  const recordBytes = view.getUint32(start + RECORD_LENGTH);
  const minBytes = RECORD_BYTES + capturedBytes;
  if (recordBytes >= minBytes && recordBytes <= MAX_BLOCK_BYTES) return recordBytes;
  const allowed = { min: minBytes, max: MAX_BLOCK_BYTES, unit: 'bytes' };
  throw invalidCapture('the length of the record', recordBytes, allowed, window.streamOffset(start));
}

function readRecord(window: ByteWindow, batch: CaptureBatch): void {
  const { view, start } = window;
  const microseconds = view.getUint32(start + RECORD_MICROSECONDS);
  const carrySeconds = Math.floor(microseconds / MICROSECONDS_PER_SECOND);
  const i = batch.count++;
  batch.offsets[i] = start + RECORD_BYTES;
  batch.capturedBytes[i] = view.getUint32(start + RECORD_CAPTURED);
  batch.originalBytes[i] = view.getUint32(start);
  batch.timed[i] = 1;
  batch.epochSeconds[i] = view.getUint32(start + RECORD_SECONDS) + carrySeconds;
  batch.picoseconds[i] = (microseconds - carrySeconds * MICROSECONDS_PER_SECOND) * PICOSECONDS_PER_MICROSECOND;
  batch.linkTypes[i] = LINK_TYPE_ETHERNET;
  batch.interfaceIds[i] = 0;
  batch.sections[i] = 0;
}
