/** The queues of one egress port, one per class, served in the order of `src/switching/shared-buffer.ts`. */
import { CLASS_COUNT, QueueScheduler } from '../../src/switching/shared-buffer.js';
import type { Port } from './link-ends.js';
import type { Packet } from './packet.js';

export interface Waiting {
  readonly packet: Packet;
  /** The ingress port; undefined: the packet takes no packet memory. */
  readonly arrival: Port | undefined;
}

export class Egress {
  readonly queues: readonly Waiting[][] = Array.from({ length: CLASS_COUNT }, () => []);
  readonly queueBytes: number[] = Array.from({ length: CLASS_COUNT }, () => 0);
  readonly #scheduler: QueueScheduler;

  /** @param strictClasses bit c: class c is strict. */
  constructor(strictClasses: number) {
    this.#scheduler = new QueueScheduler(strictClasses);
  }

  /** Bytes of all classes, including pause frames. */
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

  /** The first packet of the queue to serve next that is not held; undefined: there is none. */
  takeNotHeld(paused: readonly boolean[], isHeld: (packet: Packet) => boolean): Waiting | undefined {
    const passed = paused.slice();
    for (;;) {
      const { lastServed } = this.#scheduler;
      const queue = this.next(passed);
      if (queue === undefined) return undefined;
      const place = this.queues[queue].findIndex(({ packet }) => !isHeld(packet));
      if (place >= 0) {
        const [waiting] = this.queues[queue].splice(place, 1);
        this.queueBytes[queue] -= waiting.packet.lenBytes;
        return waiting;
      }
      this.#scheduler.lastServed = lastServed;
      passed[queue] = true;
    }
  }

  /** The queue to serve next, which counts as served; or undefined. */
  next(paused: readonly boolean[]): number | undefined {
    let ready = 0;
    for (let queue = 0; queue < CLASS_COUNT; queue += 1) {
      if (this.queues[queue].length > 0 && (queue === 0 || !paused[queue])) ready |= 1 << queue;
    }
    const queue = this.#scheduler.next(ready);
    return queue < 0 ? undefined : queue;
  }
}
