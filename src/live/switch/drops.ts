/** Reports of an emulated switch about frames, and drops: counted by reason, with their slots freed. */
import { RoceError } from '../../errors.js';
import type { PortCounters, SwitchDropReason } from './port-counters.js';
import { NONE, type FramePool } from './frame-pool.js';

/** Receives the outcome of frames. */
export interface SwitchSink {
  /** A frame leaves: the sink owns its slot until it calls `release`. @param arrivesPs when it is complete at the far end. */
  leaves(port: number, slot: number, arrivesPs: number): void;
  /** For tests and traces. @param slot of the frame; NONE: it was in none. */
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

  /** At arrival. @param slot NONE: it is in none. */
  in(timePs: number, port: number, reason: SwitchDropReason, slot: number): void {
    this.#counters[port].droppedIn[reason] += 1;
    this.#drop(timePs, port, reason, slot);
  }

  /** On egress. */
  out(timePs: number, port: number, reason: SwitchDropReason, slot: number): void {
    this.#counters[port].droppedOut[reason] += 1;
    this.#drop(timePs, port, reason, slot);
  }

  #drop(timePs: number, port: number, reason: SwitchDropReason, slot: number): void {
    this.#sink.dropped?.(timePs, port, reason, slot);
    if (slot !== NONE) this.#pool.release(slot);
  }
}

/** For a time up to which everything has been processed already. */
export function timeOver(timePs: number, nowPs: number): RoceError {
  const allowed = { min: nowPs, multipleOf: 1, unit: 'ps' };
  return new RoceError('invalid-argument', { what: 'the time of an arrival', got: timePs, allowed, where: 'timePs' });
}
