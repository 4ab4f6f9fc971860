/**
 * The packet memory of an emulated switch, and its egress queues. Lossless classes are accounted by ingress port, lossy
 * ones by egress queue in a shared pool.
 */
import { CLASS_COUNT, QueueScheduler, LossyPool, SharedBuffer } from '../../switching/shared-buffer.js';
import { NONE, type FramePool } from './frame-pool.js';
import type { SwitchSettings } from './settings.js';

export class PacketMemory {
  readonly #shared: SharedBuffer;
  readonly #lossy: LossyPool | undefined;
  readonly #pauses: boolean;

  constructor(settings: SwitchSettings) {
    const { bufferBytes, reservedBytes, resumeOffsetBytes, guaranteedClasses, ports, pool } = settings;
    const sizes = { bufferBytes, reservedBytes, resumeOffsetBytes, guaranteedClasses };
    this.#shared = new SharedBuffer({ ...sizes, timesSetAside: settings.timesSetAside }, ports);
    this.#lossy = pool && new LossyPool(pool, ports.length);
    this.#pauses = settings.pfc;
  }

  admits(arrival: number, egress: number, trafficClass: number, lenBytes: number): boolean {
    if (this.#lossy?.isLossy(trafficClass) === true) return this.#lossy.admits(egress, trafficClass, lenBytes);
    return this.#shared.admits(arrival, trafficClass, lenBytes);
  }

  store(arrival: number, egress: number, trafficClass: number, lenBytes: number): void {
    if (this.#lossy?.isLossy(trafficClass) === true) this.#lossy.add(egress, trafficClass, lenBytes);
    else this.#shared.store(arrival, trafficClass, lenBytes);
  }

  release(arrival: number, egress: number, trafficClass: number, lenBytes: number): void {
    if (this.#lossy?.isLossy(trafficClass) === true) this.#lossy.add(egress, trafficClass, -lenBytes);
    else this.#shared.release(arrival, trafficClass, lenBytes);
  }

  /** Whether the neighbour at a port must be paused now. */
  beginsPause(port: number, trafficClass: number): boolean {
    return this.#mayPause(trafficClass) && this.#shared.beginPause(port, trafficClass);
  }

  /** Whether the neighbour may resume now. */
  endsPause(port: number, trafficClass: number): boolean {
    return this.#mayPause(trafficClass) && this.#shared.endPause(port, trafficClass);
  }

  forgetPauses(port: number): void {
    this.#shared.forgetPauses(port);
  }

  #mayPause(trafficClass: number): boolean {
    return this.#pauses && this.#lossy?.isLossy(trafficClass) !== true;
  }
}

/** One queue per port and class, each a list of slots with its length in bytes. */
export class EgressQueues {
  /** Queue length by port and class. */
  readonly bytes: Float64Array;
  /** Maximum length of any queue so far, by port. */
  readonly maxBytes: Float64Array;
  readonly #pool: FramePool;
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  /** Bitmap of the non-empty queues by port: bit c for class c. */
  readonly #waiting: Uint8Array;
  readonly #schedulers: readonly QueueScheduler[];

  constructor(pool: FramePool, ports: number, strictClasses: number) {
    this.#pool = pool;
    this.bytes = new Float64Array(ports * CLASS_COUNT);
    this.maxBytes = new Float64Array(ports);
    this.#first = new Int32Array(ports * CLASS_COUNT).fill(NONE);
    this.#last = new Int32Array(ports * CLASS_COUNT).fill(NONE);
    this.#waiting = new Uint8Array(ports);
    this.#schedulers = Array.from({ length: ports }, () => new QueueScheduler(strictClasses));
  }

  push(port: number, queue: number, slot: number): void {
    const at = port * CLASS_COUNT + queue;
    if (this.#first[at] === NONE) this.#first[at] = slot;
    else this.#pool.next[this.#last[at]] = slot;
    this.#last[at] = slot;
    this.#pool.next[slot] = NONE;
    this.#waiting[port] |= 1 << queue;
    this.bytes[at] += this.#pool.countedBytes[slot];
    if (this.bytes[at] > this.maxBytes[port]) this.maxBytes[port] = this.bytes[at];
  }

  /** Removes the next frame to send. @param paused bit c is set if class c is paused. @returns its slot, or NONE. */
  shift(port: number, paused: number): number {
    const queue = this.#schedulers[port].next(this.#waiting[port] & ~(paused & ~1));
    return queue < 0 ? NONE : this.shiftOf(port, queue);
  }

  /** Removes the first frame of a queue. @returns its slot, or NONE. */
  shiftOf(port: number, queue: number): number {
    const at = port * CLASS_COUNT + queue;
    const slot = this.#first[at];
    if (slot === NONE) return NONE;
    this.#first[at] = this.#pool.next[slot];
    if (this.#first[at] === NONE) this.#waiting[port] &= ~(1 << queue);
    this.bytes[at] -= this.#pool.countedBytes[slot];
    return slot;
  }

  /** Total bytes of all classes, including pause frames. */
  bytesOf(port: number): number {
    let sum = 0;
    for (let queue = 0; queue < CLASS_COUNT; queue += 1) sum += this.bytes[port * CLASS_COUNT + queue];
    return sum;
  }
}
