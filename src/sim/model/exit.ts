/** What waits for one exit of a switch: a queue per class, the first before all others, those in turns. */
import { CLASS_COUNT } from './classes.js';
import type { Port } from './link-ends.js';
import type { Packet } from './packet.js';

export interface Waiting {
  readonly packet: Packet;
  readonly arrival: Port;
}

export class Exit {
  readonly queues: readonly Waiting[][] = Array.from({ length: CLASS_COUNT }, () => []);
  readonly queueBytes: number[] = Array.from({ length: CLASS_COUNT }, () => 0);
  lastServed = 0;

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

  /** The queue whose turn it is, or undefined. */
  next(paused: readonly boolean[]): number | undefined {
    if (this.queues[0].length > 0) return 0;
    for (let turn = 1; turn <= CLASS_COUNT; turn += 1) {
      const queue = (this.lastServed + turn) % CLASS_COUNT;
      if (queue !== 0 && !paused[queue] && this.queues[queue].length > 0) return queue;
    }
    return undefined;
  }
}
