/**
 * What waits for one exit: a queue per class. The first comes before all others, then strict ones from the highest down,
 * then the rest in turns behind the one served last.
 */
import { CLASS_COUNT } from './classes.js';
import type { Port } from './link-ends.js';
import type { Packet } from './packet.js';

export interface Waiting {
  readonly packet: Packet;
  /** Where it came in; undefined: it takes no packet memory. */
  readonly arrival: Port | undefined;
}

export class Exit {
  readonly queues: readonly Waiting[][] = Array.from({ length: CLASS_COUNT }, () => []);
  readonly queueBytes: number[] = Array.from({ length: CLASS_COUNT }, () => 0);
  readonly #strictClasses: number;
  #lastServed = 0;

  /** @param strictClasses bit c: class c is strict. */
  constructor(strictClasses: number) {
    this.#strictClasses = strictClasses;
  }

  /** Of all classes, pause frames too. */
  get bytes(): number {
    return this.queueBytes.reduce((sum, bytes) => sum + bytes, 0);
  }

  push(queue: number, waiting: Waiting): void {
    this.queues[queue].push(waiting);
    this.queueBytes[queue] += waiting.packet.lenBytes;
  }

  shift(queue: number): Waiting | undefined {
    const waiting = this.queues[queue].shift();
    if (waiting !== undefined) this.queueBytes[queue] -= waiting.packet.lenBytes;
    return waiting;
  }

  /** The first packet that is not held, of the queue whose turn it is; undefined: there is none. */
  takeNotHeld(paused: readonly boolean[], isHeld: (packet: Packet) => boolean): Waiting | undefined {
    const passed = paused.slice();
    for (;;) {
      const lastServed = this.#lastServed;
      const queue = this.next(passed);
      if (queue === undefined) return undefined;
      const place = this.queues[queue].findIndex(({ packet }) => !isHeld(packet));
      if (place >= 0) {
        const [waiting] = this.queues[queue].splice(place, 1);
        this.queueBytes[queue] -= waiting.packet.lenBytes;
        return waiting;
      }
      this.#lastServed = lastServed;
      passed[queue] = true;
    }
  }

  /** The queue whose turn it is, which counts as served; or undefined. */
  next(paused: readonly boolean[]): number | undefined {
    if (this.queues[0].length > 0) return 0;
    const ready = (queue: number): boolean => queue !== 0 && !paused[queue] && this.queues[queue].length > 0;
    for (let queue = CLASS_COUNT - 1; queue > 0; queue -= 1) if (this.#isStrict(queue) && ready(queue)) return queue;
    for (let turn = 1; turn <= CLASS_COUNT; turn += 1) {
      const queue = (this.#lastServed + turn) % CLASS_COUNT;
      if (!ready(queue)) continue;
      this.#lastServed = queue;
      return queue;
    }
    return undefined;
  }

  #isStrict(queue: number): boolean {
    return (this.#strictClasses & (1 << queue)) !== 0;
  }
}
