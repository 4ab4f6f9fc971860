/**
 * The QPs of a host port are served round-robin, each when its window and rate allow.
 *
 * A QP may send if its class is not paused, bytes are left, its next send time has passed and the window is open. The
 * search starts after the QP served last. If it skips finished QPs (all of them, if none may send), the list is cleared
 * from the first finished one on.
 *
 * If no QP may send, one wake-up is set for the earliest send time of any QP with bytes left, even if it is paused or
 * blocked by its window, unless a wake-up is pending. A time in the past
 *
 *   counts       in the reference: then no wake-up is set
 *   is skipped   under `standard`, which sets the wake-up as the last QP of a port begins its gap, not after its packet
 */
import type { Port } from '../link-ends.js';
import type { World } from '../network.js';
import type { QpScheduler, SendingFlow } from '../parts.js';
import { WakeUp } from '../wake-up.js';

export interface SchedulerRules {
  readonly pastTimes: 'count' | 'are-skipped';
}

export class ClearingScheduler<Flow extends SendingFlow> implements QpScheduler<Flow> {
  readonly #world: World;
  readonly #port: Port;
  readonly #rules: SchedulerRules;
  readonly #wake: WakeUp;
  #queuePairs: Flow[] = [];
  #lastServed = 0;

  constructor(world: World, port: Port, rules: SchedulerRules) {
    this.#world = world;
    this.#port = port;
    this.#rules = rules;
    this.#wake = new WakeUp(world.events, port);
  }

  add(queuePair: Flow): void {
    this.#queuePairs.push(queuePair);
  }

  nextQp(): Flow | undefined {
    const list = this.#queuePairs;
    let firstFinished = Infinity;
    let found: Flow | undefined;
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

  wakeLater(): void {
    if (this.#wake.isPending) return;
    const { nowPs } = this.#world.events;
    let earliestPs = Infinity;
    for (const queuePair of this.#queuePairs) {
      const counts = this.#rules.pastTimes === 'count' || queuePair.nextAvailPs > nowPs;
      if (counts && queuePair.hasBytesLeft) earliestPs = Math.min(earliestPs, queuePair.nextAvailPs);
    }
    if (earliestPs < Infinity && earliestPs > nowPs) this.#wake.set(earliestPs);
  }

  wakeEarlier({ nextAvailPs }: Flow): void {
    this.#wake.bringForward(nextAvailPs);
  }

  afterSend(queuePair: Flow, sentPs: number, othersWait: boolean): void {
    if (this.#rules.pastTimes === 'count' || this.#queuePairs.length !== 1 || othersWait) return;
    if (queuePair.nextAvailPs > sentPs) this.wakeLater();
  }

  #maySend(queuePair: Flow): boolean {
    if (this.#port.paused[queuePair.flow.dataClass] || !queuePair.hasBytesLeft) return false;
    return queuePair.nextAvailPs <= this.#world.events.nowPs && !queuePair.isWindowBlocked;
  }
}
