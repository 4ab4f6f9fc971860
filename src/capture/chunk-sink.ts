/** Bytes in an `ArrayBuffer`, under the name that TypeScript has for them: before 5.7 a `Uint8Array` has no parameter. */
export type OwnBytes = ReturnType<typeof Uint8Array.of>;

/**
 * Assembles records: a buffer of one chunk, which is passed on when the next record doesn't fit. A chunk that was passed on
 * is never written again, so a consumer may keep it.
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
   * Reserves space for a record of this many bytes, all 0.
   *
   * @returns where in `bytes` it begins
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

  /** Whether a whole chunk is waiting. */
  hasFull(): boolean {
    return this.#full.length > 0;
  }

  /** Removes and returns the whole chunks. */
  removeFull(): readonly OwnBytes[] {
    const chunks = this.#full;
    if (chunks.length > 0) this.#full = [];
    return chunks;
  }

  /** Removes and returns everything left. */
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
