/** What the encoders of the formats share: their interface, and the sink that they write to. */
import type { CheckedFrame, PcapngBlock } from './frame-to-write.js';

/** A file format: writes records to a sink. A rejected record writes nothing. */
export interface RecordEncoder {
  /** Writes the bytes before the first record. */
  begin(): void;

  /** @throws RoceError `invalid-argument` if the format cannot represent the frame */
  addFrame(frame: CheckedFrame): void;

  /**
   * @param index index among the items, for errors
   * @throws RoceError `invalid-argument` if the format cannot represent the block
   */
  addBlock(block: PcapngBlock, index: number): void;

  /** Writes the bytes after the last record. */
  end(): void;
}

/** Bytes in an `ArrayBuffer`. TypeScript before 5.7 has no type parameter on `Uint8Array` to say so. */
export type OwnBytes = ReturnType<typeof Uint8Array.of>;

/**
 * Assembles records into chunks: a full buffer is passed on when the next record does not fit. The sink never writes to
 * a chunk that was passed on, so a consumer may keep it.
 */
export class ChunkSink {
  /** The buffer being filled, and a view of it; both change with `reserve`. */
  bytes: OwnBytes;
  view: DataView;

  readonly #chunkBytes: number;
  #used = 0;
  #full: OwnBytes[] = [];

  constructor(chunkBytes: number) {
    this.#chunkBytes = chunkBytes;
    this.bytes = new Uint8Array(0);
    this.view = new DataView(this.bytes.buffer);
  }

  /**
   * Reserves space for a record of this size, filled with zeros.
   *
   * @returns its position in `bytes`
   */
  reserve(lengthBytes: number): number {
    if (this.bytes.length - this.#used < lengthBytes) {
      this.#close();
      this.bytes = new Uint8Array(Math.max(this.#chunkBytes, lengthBytes));
      this.view = new DataView(this.bytes.buffer);
    }
    const start = this.#used;
    this.#used += lengthBytes;
    return start;
  }

  /** Whether a full chunk is available. */
  hasFull(): boolean {
    return this.#full.length > 0;
  }

  /** Removes and returns the full chunks. */
  removeFull(): readonly OwnBytes[] {
    const chunks = this.#full;
    if (chunks.length > 0) this.#full = [];
    return chunks;
  }

  /** Removes and returns all remaining bytes. */
  removeAll(): readonly OwnBytes[] {
    this.#close();
    return this.removeFull();
  }

  #close(): void {
    if (this.#used > 0) this.#full.push(this.bytes.subarray(0, this.#used));
    this.bytes = new Uint8Array(0);
    this.#used = 0;
  }
}
