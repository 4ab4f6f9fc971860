/** The answers of a host's port under `standard`: a queue per class, CNPs strict, each held by its own class's pause. */
import { Exit } from '../exit.js';
import type { Packet } from '../packet.js';
import type { AnswerQueue } from '../parts.js';

export class StandardAnswers implements AnswerQueue {
  readonly #ackClass: number | undefined;
  readonly #exit: Exit;

  /** @param ackClass queue of all ACKs; undefined: that of their class. */
  constructor(strictClasses: number, ackClass: number | undefined) {
    this.#exit = new Exit(strictClasses);
    this.#ackClass = ackClass;
  }

  push(packet: Packet): void {
    this.#exit.push(this.#queueOf(packet), { packet, arrival: undefined });
  }

  #queueOf({ kind, trafficClass }: Packet): number {
    if (kind === 'pause' || kind === 'resume') return 0;
    return kind === 'ack' || kind === 'nak' ? this.#ackClass ?? trafficClass : trafficClass;
  }

  next(paused: readonly boolean[]): Packet | undefined {
    const queue = this.#exit.next(paused);
    return queue === undefined ? undefined : this.#exit.shift(queue)?.packet;
  }

  clear(): Packet[] {
    const packets = [...this];
    this.#exit.queues.forEach((queue, trafficClass) => {
      while (queue.length > 0) this.#exit.shift(trafficClass);
    });
    return packets;
  }

  *[Symbol.iterator](): Iterator<Packet> {
    for (const queue of this.#exit.queues) for (const { packet } of queue) yield packet;
  }
}
