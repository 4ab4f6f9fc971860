/** Received frames, in two rings of fixed size: their bytes, and their metadata. */
import type { FrameBatch } from '../frame-port.js';

export class FrameQueue {
  /** Number of frames. */
  count = 0;
  /** Frames dropped because no batch of the receiver can hold them. */
  tooLong = 0;
  readonly #bytes: Uint8Array;
  readonly #offsets: Float64Array;
  readonly #lenBytes: Uint32Array;
  readonly #timesNs: Float64Array;
  #head = 0;
  /** Position for the next frame's bytes. */
  #tail = 0;

  constructor(frames: number, lenBytes: number) {
    this.#bytes = new Uint8Array(lenBytes);
    this.#offsets = new Float64Array(frames);
    this.#lenBytes = new Uint32Array(frames);
    this.#timesNs = new Float64Array(frames);
  }

  /** Returns false if the queue is full. */
  add(frame: Uint8Array, timeNs: number): boolean {
    if (this.count === this.#offsets.length) return false;
    const at = this.#placeFor(frame.length);
    if (at < 0) return false;
    const index = (this.#head + this.count) % this.#offsets.length;
    this.#bytes.set(frame, at);
    this.#offsets[index] = at;
    this.#lenBytes[index] = frame.length;
    this.#timesNs[index] = timeNs;
    this.#tail = at + frame.length;
    this.count++;
    return true;
  }

  /** Moves as many frames as fit into the batch; returns their number. */
  moveTo(batch: FrameBatch): number {
    let usedBytes = 0;
    batch.count = 0;
    while (this.count > 0 && batch.count < batch.offsets.length) {
      const lenBytes = this.#lenBytes[this.#head];
      if (lenBytes > batch.bytes.length) this.tooLong++;
      else if (usedBytes + lenBytes > batch.bytes.length) break;
      else {
        this.#copyHead(batch, usedBytes);
        usedBytes += lenBytes;
      }
      this.#head = (this.#head + 1) % this.#offsets.length;
      this.count--;
    }
    return batch.count;
  }

  #copyHead(batch: FrameBatch, offset: number): void {
    const at = this.#offsets[this.#head];
    const lenBytes = this.#lenBytes[this.#head];
    const index = batch.count++;
    batch.bytes.set(this.#bytes.subarray(at, at + lenBytes), offset);
    batch.offsets[index] = offset;
    batch.lenBytes[index] = lenBytes;
    batch.originalLenBytes[index] = lenBytes;
    batch.timesNs[index] = this.#timesNs[this.#head];
  }

  /** Position at which a frame fits contiguously; −1 if there is none. */
  #placeFor(lenBytes: number): number {
    if (this.count === 0) return lenBytes <= this.#bytes.length ? 0 : -1;
    const first = this.#offsets[this.#head];
    if (this.#tail > first) {
      if (this.#tail + lenBytes <= this.#bytes.length) return this.#tail;
      return lenBytes <= first ? 0 : -1;
    }
    return this.#tail + lenBytes <= first ? this.#tail : -1;
  }
}
