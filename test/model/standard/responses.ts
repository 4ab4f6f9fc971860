/** The responses of a host port under `standard`: one queue per class, held by its own pause; CNPs are strict. */
import { Egress } from '../egress.js';
import type { Packet } from '../packet.js';
import type { ResponseQueue } from '../parts.js';

export class StandardResponses implements ResponseQueue {
  readonly #ackClass: number | undefined;
  readonly #egress: Egress;

  /** @param ackClass queue of all ACKs; undefined: that of their class. */
  constructor(strictClasses: number, ackClass: number | undefined) {
    this.#egress = new Egress(strictClasses);
    this.#ackClass = ackClass;
  }

  push(packet: Packet): void {
    this.#egress.push(this.#queueOf(packet), { packet, arrival: undefined });
  }

  #queueOf({ kind, trafficClass }: Packet): number {
    if (kind === 'pause' || kind === 'resume') return 0;
    const isResponse = kind === 'ack' || kind === 'nak' || kind === 'rnr-nak' || kind === 'nack' || kind === 'credit';
    return isResponse ? this.#ackClass ?? trafficClass : trafficClass;
  }

  next(paused: readonly boolean[]): Packet | undefined {
    const queue = this.#egress.next(paused);
    return queue === undefined ? undefined : this.#egress.shift(queue)?.packet;
  }

  clear(): Packet[] {
    const packets = [...this];
    this.#egress.queues.forEach((queue, trafficClass) => {
      while (queue.length > 0) this.#egress.shift(trafficClass);
    });
    return packets;
  }

  *[Symbol.iterator](): Iterator<Packet> {
    for (const queue of this.#egress.queues) for (const { packet } of queue) yield packet;
  }
}
