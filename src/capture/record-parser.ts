/** What the parsers of the formats share: their interface, and the window on the stream that they read. */
import type { CaptureBatch } from './frame.js';

/** A file format: consumes records from a window, adds their frames to a batch. */
export interface RecordParser {
  /**
   * Consumes whole records until the batch is full or more bytes are needed. Frames added before an error stay in the
   * batch, so the caller can deliver them first.
   *
   * @returns 0 if the batch is full, else the number of live bytes that the window must hold to continue
   * @throws RoceError `invalid-capture` for a record that violates the format
   */
  parse(window: ByteWindow, batch: CaptureBatch): number;

  /** Whether the file may end here if the window is empty: false inside a header or a skipped block. */
  isAtBorder(): boolean;
}

/**
 * A sliding window over a byte stream: holds the received, unconsumed bytes contiguously, so that a record can be read
 * in place however the stream was split. It only grows when full, never because of a length field.
 */
export class ByteWindow {
  /** The buffer. Bytes `start` (inclusive) to `end` (exclusive) are live. */
  bytes: Uint8Array;
  /** The same buffer, for multi-byte fields. */
  view: DataView;
  start = 0;
  end = 0;
  /** Offset in the stream of the buffer's first byte. */
  #origin = 0;

  constructor(capacityBytes: number) {
    this.bytes = new Uint8Array(capacityBytes);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Number of live bytes. */
  get length(): number {
    return this.end - this.start;
  }

  /** Offset in the stream of buffer position `position`. */
  streamOffset(position: number): number {
    return this.#origin + position;
  }

  /**
   * Copies the bytes of `chunk` from index `from` on, as far as they fit, after making space for at least one.
   *
   * @returns number of bytes copied
   */
  append(chunk: Uint8Array, from: number): number {
    if (this.end === this.bytes.length) this.#makeRoom();
    const taken = Math.min(chunk.length - from, this.bytes.length - this.end);
    this.bytes.set(chunk.subarray(from, from + taken), this.end);
    this.end += taken;
    return taken;
  }

  #makeRoom(): void {
    const live = this.bytes.subarray(this.start, this.end);
    if (this.start > 0) {
      this.bytes.copyWithin(0, this.start, this.end);
    } else {
      this.bytes = new Uint8Array(this.bytes.length * 2);
      this.bytes.set(live);
      this.view = new DataView(this.bytes.buffer);
    }
    this.#origin += this.start;
    this.end = live.length;
    this.start = 0;
  }
}
