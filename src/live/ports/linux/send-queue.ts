/**
 * Frames to be sent: a ring of slots with prebuilt sendmmsg(2) headers, so that one call sends many frames. Frames that
 * the system does not accept stay queued, in order.
 */
import type { SendDropReason, PortCounters } from '../frame-port.js';
import { type Libc, EAGAIN, EINTR, EMSGSIZE, ENETDOWN, ENOBUFS, ENODEV, ENXIO, NativeMemory } from './libc.js';

/** struct mmsghdr on a 64-bit machine: msg_iov at 16, msg_iovlen at 24. */
const HEADER_BYTES = 64;
const HEADER_IOV = 16;
const HEADER_IOV_COUNT = 24;
/** struct iovec: base, length. */
const IOV_BYTES = 16;
const IOV_LENGTH = 8;
const DONT_WAIT = 0x40;
const SLOT_ALIGN = 64;

/** Sizes of the queue. */
export interface SendQueueSize {
  readonly frames: number;
  /** Maximum frame length in bytes. */
  readonly frameBytes: number;
}

export class SendQueue {
  readonly #libc: Libc;
  readonly #fd: number;
  readonly #counters: PortCounters;
  readonly #frames: number;
  readonly #frameBytes: number;
  readonly #slotBytes: number;
  readonly #memory: NativeMemory;
  /** Lengths of the slots, in the words of their iovecs. */
  readonly #words: Uint32Array;
  readonly #iovAt: number;
  readonly #dataAt: number;
  #head = 0;
  #count = 0;

  constructor(libc: Libc, fd: number, counters: PortCounters, size: SendQueueSize, name: string) {
    this.#libc = libc;
    this.#fd = fd;
    this.#counters = counters;
    this.#frames = size.frames;
    this.#frameBytes = size.frameBytes;
    this.#slotBytes = Math.ceil(size.frameBytes / SLOT_ALIGN) * SLOT_ALIGN;
    this.#iovAt = size.frames * HEADER_BYTES;
    this.#dataAt = this.#iovAt + size.frames * IOV_BYTES;
    this.#memory = NativeMemory.anonymous(libc, this.#dataAt + size.frames * this.#slotBytes, name);
    this.#words = new Uint32Array(this.#memory.bytes.buffer);
    this.#makeHeaders();
  }

  get queuedFrames(): number {
    return this.#count;
  }

  /** Returns false if the queue is full. A frame longer than a slot counts as accepted and dropped. */
  add(bytes: Uint8Array, offset: number, lenBytes: number): boolean {
    if (lenBytes > this.#frameBytes) {
      this.#counters.sendDrops['too-long']++;
      return true;
    }
    if (this.#count === this.#frames) this.flush();
    if (this.#count === this.#frames) {
      this.#counters.rejectedFrames++;
      return false;
    }
    const slot = (this.#head + this.#count) % this.#frames;
    this.#memory.bytes.set(bytes.subarray(offset, offset + lenBytes), this.#dataAt + slot * this.#slotBytes);
    this.#words[this.#lengthAt(slot)] = lenBytes;
    this.#count++;
    return true;
  }

  /** Passes frames to the system until it accepts no more, or all are sent. */
  flush(): void {
    while (this.#count > 0) {
      const inRow = Math.min(this.#count, this.#frames - this.#head);
      const pointer = this.#memory.pointer + BigInt(this.#head * HEADER_BYTES);
      const sent = this.#libc.sendmmsg(this.#fd, pointer, inRow, DONT_WAIT);
      if (sent > 0) this.#countSent(sent);
      else if (!this.#goesOnAfter(this.#libc.errno())) return;
    }
  }

  free(): void {
    this.#drop('closed', this.#count);
    this.#memory.free();
  }

  #countSent(sent: number): void {
    for (let index = 0; index < sent; index++) {
      this.#counters.sentBytes += this.#words[this.#lengthAt((this.#head + index) % this.#frames)];
    }
    this.#counters.sentFrames += sent;
    this.#remove(sent);
  }

  /** Handles a failed send; returns whether to try the next frame. */
  #goesOnAfter(errno: number): boolean {
    if (errno === EINTR) return true;
    if (errno === EAGAIN || errno === ENOBUFS) return false;
    const isDown = errno === ENETDOWN || errno === ENXIO || errno === ENODEV;
    // All queued frames would fail the same way.
    if (isDown) this.#drop('interface-down', this.#count);
    else this.#drop(errno === EMSGSIZE ? 'too-long' : 'error', 1);
    return true;
  }

  #drop(reason: SendDropReason, frames: number): void {
    this.#counters.sendDrops[reason] += frames;
    this.#remove(frames);
  }

  #remove(frames: number): void {
    this.#head = (this.#head + frames) % this.#frames;
    this.#count -= frames;
  }

  #lengthAt(slot: number): number {
    return (this.#iovAt + slot * IOV_BYTES + IOV_LENGTH) >> 2;
  }

  #makeHeaders(): void {
    const view = new DataView(this.#memory.bytes.buffer);
    const { pointer } = this.#memory;
    for (let slot = 0; slot < this.#frames; slot++) {
      const iovAt = this.#iovAt + slot * IOV_BYTES;
      view.setBigUint64(slot * HEADER_BYTES + HEADER_IOV, pointer + BigInt(iovAt), true);
      view.setBigUint64(slot * HEADER_BYTES + HEADER_IOV_COUNT, 1n, true);
      view.setBigUint64(iovAt, pointer + BigInt(this.#dataAt + slot * this.#slotBytes), true);
    }
  }
}
