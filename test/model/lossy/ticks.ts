/** A task that a switch repeats periodically from its first packet on. */
import type { EventQueue } from '../../../src/sim/event-queue.js';

export class Ticks {
  readonly #events: EventQueue;
  readonly #periodPs: number;
  readonly #act: () => void;
  #started = false;

  constructor(events: EventQueue, periodPs: number, act: () => void) {
    this.#events = events;
    this.#periodPs = periodPs;
    this.#act = act;
  }

  /** Schedules the first run one period from now; further calls do nothing. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#schedule();
  }

  #schedule(): void {
    this.#events.schedule(this.#events.nowPs + this.#periodPs, () => {
      this.#act();
      this.#schedule();
    });
  }
}
