/**
 * The QPs of a host's port take turns, as in the second reference.
 *
 * QPs stay in the list when they are finished, so the turn never shifts. Of each unfinished one, in order behind the one
 * served last: windows are looked at with the present next byte; then what is known to have arrived is passed over; then
 * it may send if bytes are left, its class is not paused and its time has come.
 *
 * If none may, one wake-up is set for the earliest time still to come of any QP with bytes left, even of one that is
 * paused or held back by a window; none while one is pending.
 * Source: docs/specs/reference-lossy.md, section 2.
 */
import type { Port } from '../link-ends.js';
import type { World } from '../network.js';
import type { SendingFlow, Turns } from '../parts.js';
import { WakeUp } from '../wake-up.js';

export class LossyTurns<Flow extends SendingFlow> implements Turns<Flow> {
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

  nextTurn(): Flow | undefined {
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
