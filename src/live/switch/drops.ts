/** What an emulated switch reports of frames, and how it drops them: counted by reason, and their slots given back. */
import { RoceError } from '../../errors.js';
import type { PortBooks, SwitchDropReason } from './books.js';
import { NONE, type FramePool } from './frame-pool.js';

/** What becomes of frames. */
export interface SwitchSink {
  /** A frame leaves: its slot is the sink's until it calls `release`. @param arrivesPs when it is whole at the far end. */
  leaves(port: number, slot: number, arrivesPs: number): void;
  /** For tests and traces. @param slot of the frame; NONE: it was in none. */
  marked?(timePs: number, port: number, slot: number): void;
  dropped?(timePs: number, port: number, reason: SwitchDropReason, slot: number): void;
}

export class Drops {
  readonly #books: readonly PortBooks[];
  readonly #pool: FramePool;
  readonly #sink: SwitchSink;

  constructor(books: readonly PortBooks[], pool: FramePool, sink: SwitchSink) {
    this.#books = books;
    this.#pool = pool;
    this.#sink = sink;
  }

  /** At arrival. @param slot NONE: it is in none. */
  in(timePs: number, port: number, reason: SwitchDropReason, slot: number): void {
    this.#books[port].droppedIn[reason] += 1;
    this.#drop(timePs, port, reason, slot);
  }

  /** On the way out. */
  out(timePs: number, port: number, reason: SwitchDropReason, slot: number): void {
    this.#books[port].droppedOut[reason] += 1;
    this.#drop(timePs, port, reason, slot);
  }

  #drop(timePs: number, port: number, reason: SwitchDropReason, slot: number): void {
    this.#sink.dropped?.(timePs, port, reason, slot);
    if (slot !== NONE) this.#pool.release(slot);
  }
}

/** Of a time before which all has happened already. */
export function timeOver(timePs: number, nowPs: number): RoceError {
  const allowed = { min: nowPs, multipleOf: 1, unit: 'ps' };
  return new RoceError('invalid-argument', { what: 'the time of an arrival', got: timePs, allowed, where: 'timePs' });
}
