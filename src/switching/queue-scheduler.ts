/** Traffic classes of a port, one queue each. Class 0 carries pause frames. */
export const CLASS_COUNT = 8;

/**
 * Selects the queue that a port serves next: queue 0 first, then strict classes from the highest down, then the others
 * round-robin.
 */
export class QueueScheduler {
  readonly #strictClasses: number;
  /** The round-robin queue served last. */
  lastServed = 0;

  /** @param strictClasses bit c is set if class c is strict. */
  constructor(strictClasses: number) {
    this.#strictClasses = strictClasses;
  }

  /**
   * @param ready bit q is set if queue q has packets and is not paused.
   * @returns the queue, which counts as served; -1 if none is ready.
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
