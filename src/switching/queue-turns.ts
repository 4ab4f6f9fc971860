/**
 * Which queue of a port is served next: queue 0 before all others, then strict classes from the highest down, then the
 * rest in turns behind the one served last. Only a queue that is served in its turn counts as served last.
 */
import { CLASS_COUNT } from './classes.js';

export class QueueTurns {
  readonly #strictClasses: number;
  /** Of those that take turns. */
  lastServed = 0;

  /** @param strictClasses bit c: class c is strict. */
  constructor(strictClasses: number) {
    this.#strictClasses = strictClasses;
  }

  /**
   * @param ready bit q: something waits in queue q, and it is not paused.
   * @returns the queue, which counts as served; -1: none is ready.
   */
  next(ready: number): number {
    if (ready === 0) return -1;
    if ((ready & 1) !== 0) return 0;
    const strict = ready & this.#strictClasses;
    if (strict !== 0) return 31 - Math.clz32(strict);
    for (let turn = 1; turn <= CLASS_COUNT; turn += 1) {
      const queue = (this.lastServed + turn) % CLASS_COUNT;
      if ((ready & (1 << queue)) === 0) continue;
      this.lastServed = queue;
      return queue;
    }
    return -1;
  }
}
