/**
 * The receive ring of a packet socket, TPACKET_V3 (Linux, Documentation/networking/packet_mmap.rst,
 * include/uapi/linux/if_packet.h): the kernel fills blocks with frames of any length, and returns a block when it is
 * full or `blockTimeoutMs` old. The ring is read in place; one copy per batch moves many frames, including the ring's
 * headers between them.
 *
 *   block:  version, offset to private | status, frames, offset to the first, bytes, sequence, times
 *   frame:  offset to the next, s, ns, captured, original, status, offset of MAC, … | VLAN tag | sockaddr_ll
 *
 * VLAN tags that the kernel removed from a frame are restored in the copy: the MAC addresses move four bytes forward,
 * into the space that the ring leaves before a frame.
 */
import { NS_PER_SECOND } from '../../../units.js';
import type { FrameBatch } from '../frame-port.js';
import { type Libc, NativeMemory } from './libc.js';

const BLOCK_STATUS = 8 >> 2;
const BLOCK_FRAMES = 12 >> 2;
const BLOCK_FIRST = 16 >> 2;
const NEXT = 0;
const SECONDS = 4 >> 2;
const NANOSECONDS = 8 >> 2;
const CAPTURED = 12 >> 2;
const ORIGINAL = 16 >> 2;
const STATUS = 20 >> 2;
/** This word has the offset of the link header in its lower half, and of the network header in its upper half. */
const MAC_AND_NET = 24 >> 2;
const VLAN_TCI = 32 >> 2;
const VLAN_TPID = 36 >> 2;
const LOW_16 = 0xffff;

const STATUS_KERNEL = 0;
const STATUS_USER = 1;
const VLAN_VALID = 0x10;
const VLAN_TPID_VALID = 0x40;
const TPID_8021Q = 0x8100;
const ADDRESSES_BYTES = 12;
const TAG_BYTES = 4;

/** Sizes of a ring. */
export interface RingSize {
  readonly blockBytes: number;
  readonly blocks: number;
}

export class RxRing {
  /** Frames dropped because they are longer than a whole batch. */
  tooLong = 0;
  /** Bytes on the wire of all frames returned. */
  handedBytes = 0;
  readonly #memory: NativeMemory;
  readonly #words: Uint32Array;
  readonly #status: Int32Array;
  readonly #size: RingSize;
  readonly #originSeconds: number;
  readonly #originRestNs: number;
  #block = 0;
  /** Remaining frames in the block; 0 if the kernel owns it, or it has not been started. */
  #left = 0;
  /** Position of the next frame's header, in words from the start of the ring. */
  #at = 0;
  #closed = false;

  constructor(libc: Libc, fd: number, size: RingSize, originNs: bigint, name: string) {
    this.#size = size;
    this.#memory = new NativeMemory(libc, size.blockBytes * size.blocks, fd, name);
    this.#words = new Uint32Array(this.#memory.bytes.buffer);
    this.#status = new Int32Array(this.#memory.bytes.buffer);
    this.#originSeconds = Number(originNs / BigInt(NS_PER_SECOND));
    this.#originRestNs = Number(originNs % BigInt(NS_PER_SECOND));
  }

  /** Fills the batch, with one copy per block or part of a block; returns the number of frames. */
  receive(batch: FrameBatch): number {
    batch.count = 0;
    let usedBytes = 0;
    while (batch.count < batch.offsets.length && this.#openBlock()) {
      usedBytes += this.#copyFrames(batch, usedBytes);
      if (this.#left === 0) this.#releaseBlock();
      else if (usedBytes > 0) break;
      else this.#skipTooLong();
    }
    return batch.count;
  }

  /** Unmaps the ring. */
  free(): void {
    this.#closed = true;
    this.#memory.free();
  }

  /** Opens the next block, if there is one with frames not yet returned. */
  #openBlock(): boolean {
    if (this.#closed) return false;
    if (this.#left > 0) return true;
    const base = (this.#block * this.#size.blockBytes) >> 2;
    if ((Atomics.load(this.#status, base + BLOCK_STATUS) & STATUS_USER) === 0) return false;
    this.#left = this.#words[base + BLOCK_FRAMES];
    this.#at = base + (this.#words[base + BLOCK_FIRST] >> 2);
    if (this.#left === 0) this.#releaseBlock();
    return this.#left > 0;
  }

  #releaseBlock(): void {
    const base = (this.#block * this.#size.blockBytes) >> 2;
    Atomics.store(this.#status, base + BLOCK_STATUS, STATUS_KERNEL);
    this.#block = (this.#block + 1) % this.#size.blocks;
  }

  /** Skips a frame that does not fit into an empty batch. */
  #skipTooLong(): void {
    this.tooLong++;
    this.#left--;
    this.#at += this.#words[this.#at + NEXT] >> 2;
    if (this.#left === 0) this.#releaseBlock();
  }

  /** Lists as many frames of the block as fit, and copies them together; returns the number of bytes copied. */
  #copyFrames(batch: FrameBatch, usedBytes: number): number {
    const words = this.#words;
    const first = batch.count;
    const fromBytes = this.#at << 2;
    const roomBytes = batch.bytes.length - usedBytes;
    let lenBytes = 0;
    let flags = 0;
    while (this.#left > 0 && batch.count < batch.offsets.length) {
      const at = this.#at;
      const offset = (at << 2) + (words[at + MAC_AND_NET] & LOW_16) - fromBytes;
      if (offset + words[at + CAPTURED] > roomBytes) break;
      this.#note(batch, at, usedBytes + offset);
      lenBytes = offset + words[at + CAPTURED];
      flags |= words[at + STATUS];
      this.#left--;
      this.#at = at + (words[at + NEXT] >> 2);
    }
    if (lenBytes === 0) return 0;
    batch.bytes.set(this.#memory.bytes.subarray(fromBytes, fromBytes + lenBytes), usedBytes);
    if ((flags & VLAN_VALID) !== 0) this.#restoreTags(batch, first, fromBytes >> 2);
    return lenBytes;
  }

  #note(batch: FrameBatch, at: number, offset: number): void {
    const words = this.#words;
    const index = batch.count++;
    batch.offsets[index] = offset;
    batch.lenBytes[index] = words[at + CAPTURED];
    batch.originalLenBytes[index] = words[at + ORIGINAL];
    batch.timesNs[index] = (words[at + SECONDS] - this.#originSeconds) * NS_PER_SECOND +
      (words[at + NANOSECONDS] - this.#originRestNs);
    this.handedBytes += words[at + ORIGINAL];
  }

  /** Restores the VLAN tags of frames from index `first` on; the first one's header is at word `at` of the ring. */
  #restoreTags(batch: FrameBatch, first: number, at: number): void {
    const words = this.#words;
    for (let index = first; index < batch.count; index++) {
      const status = words[at + STATUS];
      const tpid = (status & VLAN_TPID_VALID) === 0 ? TPID_8021Q : words[at + VLAN_TPID] & LOW_16;
      if ((status & VLAN_VALID) !== 0 && batch.lenBytes[index] >= ADDRESSES_BYTES) {
        this.handedBytes += TAG_BYTES;
        insertTag(batch, index, tpid, words[at + VLAN_TCI] & LOW_16);
      }
      at += words[at + NEXT] >> 2;
    }
  }
}

function insertTag(batch: FrameBatch, index: number, tpid: number, tci: number): void {
  const { bytes } = batch;
  const from = batch.offsets[index];
  const to = from - TAG_BYTES;
  bytes.copyWithin(to, from, from + ADDRESSES_BYTES);
  const at = to + ADDRESSES_BYTES;
  bytes[at] = tpid >> 8;
  bytes[at + 1] = tpid;
  bytes[at + 2] = tci >> 8;
  bytes[at + 3] = tci;
  batch.offsets[index] = to;
  batch.lenBytes[index] += TAG_BYTES;
  batch.originalLenBytes[index] += TAG_BYTES;
}
