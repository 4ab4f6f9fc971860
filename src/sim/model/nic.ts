/**
 * One port of a host and the QPs that send by it: ACKs first, then the QPs in turn, each when window and pace allow.
 *
 * A QP may send if its class is not paused, bytes are left, the window is open and its time has come. The search starts
 * behind the QP served last. Finished QPs that it passes over (all of them, if it finds none) are the reason to clear
 * the list from the first of them in it on.
 *
 * If nothing may be sent, one wake-up is set for the earliest time of any QP with bytes left, even of one that is
 * paused or held back by its window; if that time is past, or a wake-up is pending, none is set.
 */
import type { EventQueue, ScheduledEvent } from './event-queue.js';
import type { Packet } from './packet.js';
import type { Port } from './port.js';
import type { QueuePair } from './queue-pair.js';

export class Nic {
  readonly port: Port;
  readonly acks: Packet[] = [];
  #queuePairs: QueuePair[] = [];
  #lastServed = 0;
  #wake: ScheduledEvent | undefined;
  readonly #events: EventQueue;

  constructor(port: Port, events: EventQueue) {
    this.port = port;
    this.#events = events;
  }

  add(queuePair: QueuePair): void {
    this.#queuePairs.push(queuePair);
  }

  /** The QP whose turn it is, or undefined. */
  nextTurn(): QueuePair | undefined {
    const list = this.#queuePairs;
    let firstFinished = Infinity;
    let found: QueuePair | undefined;
    for (let turn = 1; turn <= list.length && found === undefined; turn += 1) {
      const at = (this.#lastServed + turn) % list.length;
      if (this.#maySend(list[at])) found = list[at];
      else if (list[at].isFinished) firstFinished = Math.min(firstFinished, at);
    }
    if (firstFinished < Infinity) {
      this.#queuePairs = list.filter((queuePair, at) => at < firstFinished || !queuePair.isFinished);
    }
    if (found !== undefined) this.#lastServed = this.#queuePairs.indexOf(found);
    return found;
  }

  /** Sets the wake-up for when something may be sent again. */
  wakeLater(): void {
    if (this.#wake !== undefined) return;
    let earliestPs = Infinity;
    for (const queuePair of this.#queuePairs) {
      if (queuePair.hasBytesLeft) earliestPs = Math.min(earliestPs, queuePair.nextAvailPs);
    }
    if (earliestPs < Infinity && earliestPs > this.#events.nowPs) this.#setWake(earliestPs);
  }

  /** A QP's time has changed: a pending wake-up comes no later than that. */
  wakeEarlier({ nextAvailPs }: QueuePair): void {
    if (this.#wake === undefined || nextAvailPs >= this.#wake.timePs) return;
    this.#wake.cancelled = true;
    this.#setWake(Math.max(this.#events.nowPs, nextAvailPs));
  }

  #setWake(timePs: number): void {
    this.#wake = this.#events.schedule(timePs, () => {
      this.#wake = undefined;
      this.port.device.trySend(this.port);
    });
  }

  #maySend(queuePair: QueuePair): boolean {
    if (this.port.paused[queuePair.flow.dataClass] || !queuePair.hasBytesLeft || queuePair.isWindowBlocked) {
      return false;
    }
    return queuePair.nextAvailPs <= this.#events.nowPs;
  }
}
