/**
 * The QPs of a host's port are served round-robin, as in the second reference.
 *
 * Finished QPs remain in the list, so the order never changes. Starting after the QP served last, each unfinished one
 * is inspected: its windows are checked with its next byte; then bytes known to have arrived are skipped; then it may
 * send if bytes are left, its class is not paused and its next send time has passed.
 *
 * If none may send, one wake-up is set for the earliest future time of any QP with bytes left, even of one that is
 * paused or held back by a window; none while one is pending.
 * Source: docs/specs/reference-lossy.md, section 2.
 */
import type { Port } from '../link-ends.js';
import type { World } from '../network.js';
import type { QpScheduler, SendingFlow } from '../parts.js';
import { WakeUp } from '../wake-up.js';

export class LossyScheduler<Flow extends SendingFlow> implements QpScheduler<Flow> {
  readonly #world: World;
  readonly #port: Port;
  readonly #wake: WakeUp;
  readonly #queuePairs: Flow[] = [];
  #lastServed = 0;

  constructor(world: World, port: Port) {
    this.#world = world;
    this.#port = port;
    this.#wake = new WakeUp(world.events, port);
  }

  add(queuePair: Flow): void {
    this.#queuePairs.push(queuePair);
  }

  nextQp(): Flow | undefined {
    const list = this.#queuePairs;
    for (let turn = 1; turn <= list.length; turn += 1) {
      const at = (this.#lastServed + turn) % list.length;
      if (list[at].isFinished || !this.#maySend(list[at])) continue;
      this.#lastServed = at;
      return list[at];
    }
    return undefined;
  }

  wakeLater(): void {
    const { nowPs } = this.#world.events;
    let earliestPs = Infinity;
    for (const queuePair of this.#queuePairs) {
      if (queuePair.isFinished || !queuePair.hasBytesLeft || queuePair.nextAvailPs <= nowPs) continue;
      earliestPs = Math.min(earliestPs, queuePair.nextAvailPs);
    }
    if (earliestPs < Infinity && !this.#wake.isPending) this.#wake.set(earliestPs);
  }

  afterSend(): void {
    // The end of the transmission sets the wake-up.
  }

  wakeEarlier({ nextAvailPs }: Flow): void {
    this.#wake.bringForward(nextAvailPs);
  }

  #maySend(queuePair: Flow): boolean {
    const blocked = queuePair.isWindowBlocked;
    if (!queuePair.hasBytesLeft || blocked || this.#port.paused[queuePair.flow.dataClass]) return false;
    return queuePair.nextAvailPs <= this.#world.events.nowPs;
  }
}
