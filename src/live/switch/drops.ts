/** Reports what an emulated switch does with frames, and counts drops by reason, freeing their slots. */
import { RoceError } from '../../errors.js';
import type { PortCounters, SwitchDropReason } from './switch-counters.js';
import { NONE, type FramePool } from './frame-pool.js';

/** Receives the outcome of frames. */
export interface SwitchSink {
  /**
   * A frame leaves; the sink owns its slot until it calls `release`. @param arrivesPs when its last bit reaches the far
   * end.
   */
  leaves(port: number, slot: number, arrivesPs: number): void;
  /** For tests and traces. @param slot of the frame, or NONE if it was not in one. */
  marked?(timePs: number, port: number, slot: number): void;
  dropped?(timePs: number, port: number, reason: SwitchDropReason, slot: number): void;
}

export class Drops {
  readonly #counters: readonly PortCounters[];
  readonly #pool: FramePool;
  readonly #sink: SwitchSink;

  constructor(counters: readonly PortCounters[], pool: FramePool, sink: SwitchSink) {
    this.#counters = counters;
    this.#pool = pool;
    this.#sink = sink;
  }

  /** Drops a frame at arrival. @param slot its slot, or NONE if it is not in one. */
  in(timePs: number, port: number, reason: SwitchDropReason, slot: number): void {
    this.#counters[port].droppedIn[reason] += 1;
    this.#drop(timePs, port, reason, slot);
  }

  /** Drops a frame on egress. */
  out(timePs: number, port: number, reason: SwitchDropReason, slot: number): void {
    this.#counters[port].droppedOut[reason] += 1;
    this.#drop(timePs, port, reason, slot);
  }

  #drop(timePs: number, port: number, reason: SwitchDropReason, slot: number): void {
    this.#sink.dropped?.(timePs, port, reason, slot);
    if (slot !== NONE) this.#pool.release(slot);
  }
}

/** Error for a time in the past. */
export function timeOver(timePs: number, nowPs: number): RoceError {
  const allowed = { min: nowPs, multipleOf: 1, unit: 'ps' };
  return new RoceError('invalid-argument', { what: 'the time of an arrival', got: timePs, allowed, where: 'timePs' });
}
