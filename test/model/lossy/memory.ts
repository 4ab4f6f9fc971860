/**
 * The switch memory of the second reference: one shared memory, with limits at ingress and at egress.
 *
 * N ports; h of a port its headroom, h0 that of a dummy; B all memory; class 0 is outside.
 *
 *   Lin  = B - (h0 + headrooms of all ports but the last) - 8384 N, as u32      [the dummy is in, the last port out]
 *   Lout = B - 8384 N
 *   Q    bytes of (egress port, class), S = max(0, Q - 1049), pool_out = sum of S
 *   I    bytes of (ingress port, class), X its headroom count, P bytes of the ingress port, pool_in = total
 *
 *   out  rejected if  pool_out + b > Lout,  egress port's bytes + b > B,  S + b > B,  or  S + b > 1 (Lout - pool_out)
 *   in   rejected if  total + b > B,  or  I + b > 1048 and P + b > 1048 and pool_in > Lin and X + b > h
 *   store    total, pool_in, P, I, Q += b; pool_in > Lin now: X += b
 *   release  all -= b; X := max(0, X - b)
 *   pause    each class k of the port: I - 2096 > (Lin - pool_in) / 16, or X of the packet's class != 0, where I >
 *            2096; on each packet, paused or not, which restarts the time that the pause is noted here
 *   resume   noted, and I - 2096 < (Lin - pool_in - 16) / 16, and X = 0
 *
 * Source: docs/specs/reference-lossy.md, sections 6 and 7. Read as: class 1's own pool counts in `pool_in` alone;
 * `total` holds every class. A forced drop comes before both rules.
 */
import { CLASS_COUNT } from '../../../src/switching/shared-buffer.js';
import type { EventQueue, ScheduledEvent } from '../../../src/sim/event-queue.js';
import type { Packet } from '../packet.js';
import type { MemoryState, PauseFrame, Place, Rejection, SwitchMemory } from '../parts.js';
import type { ForcedDrops } from './forced-drops.js';

const DUMMY_HEADROOM_BYTES = 14_596;
/** Reserved bytes per port: 1048 for each of 8 classes. */
const RESERVED_PER_PORT_BYTES = 8 * 1048;
/** Reserved bytes per egress queue. */
const EGRESS_RESERVED_BYTES = 1049;
const ARRIVAL_RESERVED_BYTES = 1048;
const PAUSE_FROM_BYTES = 2 * 1048;
const ALPHA_IN = 1 / 16;
const ALPHA_OUT = 1;
const RESUME_OFFSET_BYTES = 16;
/** The class with its own ingress pool. */
const CLASS_OF_OWN_POOL = 1;

export interface LossyMemoryOptions {
  readonly bufferBytes: number;
  /** By port. */
  readonly headroomBytes: readonly number[];
  readonly pfc: boolean;
  readonly pauseTimePs: number;
}

/** Bytes of one port and class. */
interface Held {
  arrivedBytes: number;
  headroomBytes: number;
  queuedBytes: number;
  /** Set while a pause is noted. */
  pauseEnd: ScheduledEvent | undefined;
}

export class LossyMemory implements SwitchMemory {
  readonly #options: LossyMemoryOptions;
  readonly #events: EventQueue;
  readonly #forced: ForcedDrops;
  readonly #limitInBytes: number;
  readonly #limitOutBytes: number;
  readonly #held: readonly (readonly Held[])[];
  #totalBytes = 0;
  readonly #poolsInBytes = [0, 0];
  #poolOutBytes = 0;

  constructor(options: LossyMemoryOptions, events: EventQueue, forced: ForcedDrops) {
    const { bufferBytes, headroomBytes } = options;
    const reservedBytes = RESERVED_PER_PORT_BYTES * headroomBytes.length;
    const counted = [DUMMY_HEADROOM_BYTES, ...headroomBytes.slice(0, -1)].reduce((sum, bytes) => sum + bytes, 0);
    this.#options = options;
    this.#events = events;
    this.#forced = forced;
    this.#limitInBytes = (bufferBytes - counted - reservedBytes) >>> 0;
    this.#limitOutBytes = (bufferBytes - reservedBytes) >>> 0;
    this.#held = headroomBytes.map(() =>
      Array.from({ length: CLASS_COUNT },
        () => ({ arrivedBytes: 0, headroomBytes: 0, queuedBytes: 0, pauseEnd: undefined }))
    );
  }

  state({ arrival, egress }: Place, trafficClass: number): MemoryState {
    const { arrivedBytes, headroomBytes, pauseEnd } = this.#held[arrival][trafficClass];
    const out = this.#held[egress][trafficClass];
    return {
      totalBytes: this.#totalBytes,
      arrivedBytes,
      headroomBytes,
      queuedBytes: out.queuedBytes,
      sharedOutBytes: sharedOut(out),
      poolOutBytes: this.#poolOutBytes,
      paused: pauseEnd !== undefined,
    };
  }

  rejection(place: Place, packet: Packet): Rejection | undefined {
    if (this.#forced.takes(packet)) return 'forced';
    if (!this.#fitsOut(place.egress, packet)) return 'out';
    return this.#fitsIn(place.arrival, packet) ? undefined : 'in';
  }

  store({ arrival, egress }: Place, { trafficClass, lenBytes }: Packet): void {
    const pool = poolOf(trafficClass);
    const held = this.#held[arrival][trafficClass];
    this.#totalBytes += lenBytes;
    this.#poolsInBytes[pool] += lenBytes;
    held.arrivedBytes += lenBytes;
    if (this.#poolsInBytes[pool] > this.#limitInBytes) held.headroomBytes += lenBytes;
    this.#queue(egress, trafficClass, lenBytes);
  }

  release({ arrival, egress }: Place, { trafficClass, lenBytes }: Packet): void {
    const held = this.#held[arrival][trafficClass];
    this.#totalBytes -= lenBytes;
    this.#poolsInBytes[poolOf(trafficClass)] -= lenBytes;
    held.arrivedBytes -= lenBytes;
    held.headroomBytes = Math.max(0, held.headroomBytes - lenBytes);
    this.#queue(egress, trafficClass, -lenBytes);
  }

  forgetPauses(port: number): void {
    for (const held of this.#held[port]) {
      if (held.pauseEnd !== undefined) held.pauseEnd.cancelled = true;
      held.pauseEnd = undefined;
    }
  }

  framesAfterStore({ arrival }: Place, trafficClass: number): PauseFrame[] {
    if (!this.#options.pfc) return [];
    const frames: PauseFrame[] = [];
    const ofPacket = this.#held[arrival][trafficClass];
    this.#held[arrival].forEach((held, paused) => {
      if (!this.#mustPause(held, paused, ofPacket)) return;
      frames.push({ kind: 'pause', trafficClass: paused });
      this.#notePause(held);
    });
    for (let each = 0; each < CLASS_COUNT; each += 1) frames.push(...this.#resumed(arrival, each));
    return frames;
  }

  framesAfterRelease({ arrival }: Place, trafficClass: number): PauseFrame[] {
    return this.#options.pfc ? this.#resumed(arrival, trafficClass) : [];
  }

  #fitsOut(egress: number, { trafficClass, lenBytes }: Packet): boolean {
    const sharedBytes = sharedOut(this.#held[egress][trafficClass]) + lenBytes;
    const egressBytes = sum(this.#held[egress], 'queuedBytes') + lenBytes;
    const { bufferBytes } = this.#options;
    if (this.#poolOutBytes + lenBytes > this.#limitOutBytes || egressBytes > bufferBytes) return false;
    return sharedBytes <= bufferBytes && sharedBytes <= ALPHA_OUT * (this.#limitOutBytes - this.#poolOutBytes);
  }

  #fitsIn(arrival: number, { trafficClass, lenBytes }: Packet): boolean {
    if (this.#totalBytes + lenBytes > this.#options.bufferBytes) return false;
    const held = this.#held[arrival][trafficClass];
    if (held.arrivedBytes + lenBytes <= ARRIVAL_RESERVED_BYTES) return true;
    if (sum(this.#held[arrival], 'arrivedBytes') + lenBytes <= ARRIVAL_RESERVED_BYTES) return true;
    if (this.#poolsInBytes[poolOf(trafficClass)] <= this.#limitInBytes) return true;
    return held.headroomBytes + lenBytes <= this.#options.headroomBytes[arrival];
  }

  #queue(egress: number, trafficClass: number, lenBytes: number): void {
    const held = this.#held[egress][trafficClass];
    const beforeBytes = sharedOut(held);
    held.queuedBytes += lenBytes;
    this.#poolOutBytes += sharedOut(held) - beforeBytes;
  }

  #mustPause({ arrivedBytes }: Held, trafficClass: number, ofPacket: Held): boolean {
    if (arrivedBytes <= PAUSE_FROM_BYTES) return false;
    if (ofPacket.headroomBytes !== 0) return true;
    return arrivedBytes - PAUSE_FROM_BYTES >
      ALPHA_IN * (this.#limitInBytes - this.#poolsInBytes[poolOf(trafficClass)]);
  }

  /** Notes a pause, which expires without a resume frame. */
  #notePause(held: Held): void {
    if (held.pauseEnd !== undefined) held.pauseEnd.cancelled = true;
    held.pauseEnd = this.#events.schedule(this.#events.nowPs + this.#options.pauseTimePs, () => {
      held.pauseEnd = undefined;
    });
  }

  #resumed(arrival: number, trafficClass: number): PauseFrame[] {
    const held = this.#held[arrival][trafficClass];
    if (held.pauseEnd === undefined || held.headroomBytes !== 0) return [];
    const freeBytes = this.#limitInBytes - this.#poolsInBytes[poolOf(trafficClass)] - RESUME_OFFSET_BYTES;
    if (held.arrivedBytes - PAUSE_FROM_BYTES >= ALPHA_IN * freeBytes) return [];
    held.pauseEnd.cancelled = true;
    held.pauseEnd = undefined;
    return [{ kind: 'resume', trafficClass }];
  }
}

function sharedOut({ queuedBytes }: Held): number {
  return Math.max(0, queuedBytes - EGRESS_RESERVED_BYTES);
}

function poolOf(trafficClass: number): number {
  return trafficClass === CLASS_OF_OWN_POOL ? 1 : 0;
}

function sum(held: readonly Held[], field: 'arrivedBytes' | 'queuedBytes'): number {
  return held.reduce((bytes, each) => bytes + each[field], 0);
}
