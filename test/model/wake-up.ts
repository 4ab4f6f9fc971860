/** The single wake-up of a host port, at which it polls its QPs again. */
import type { EventQueue, ScheduledEvent } from '../../src/sim/event-queue.js';
import type { Port } from './link-ends.js';

export class WakeUp {
  readonly #events: EventQueue;
  readonly #port: Port;
  #pending: ScheduledEvent | undefined;

  constructor(events: EventQueue, port: Port) {
    this.#events = events;
    this.#port = port;
  }

  get isPending(): boolean {
    return this.#pending !== undefined;
  }

  set(timePs: number): void {
    this.#pending = this.#events.schedule(timePs, () => {
      this.#pending = undefined;
      this.#port.device.trySend(this.#port);
    });
  }

  /** Moves a pending wake-up to this time if it is later. */
  bringForward(timePs: number): void {
    if (this.#pending === undefined || timePs >= this.#pending.timePs) return;
    this.#pending.cancelled = true;
    this.set(Math.max(this.#events.nowPs, timePs));
  }
}
