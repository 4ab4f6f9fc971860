/** The responses of a port in the reference simulators: one queue that the pause of one class holds; 0: never. */
import type { Packet } from './packet.js';
import type { ResponseQueue } from './parts.js';

export class ReferenceResponses implements ResponseQueue {
  readonly #pauseClass: number | undefined;
  #responses: Packet[] = [];

  /** @param pauseClass of all responses; undefined: the class of each response. */
  constructor(pauseClass: number | undefined) {
    this.#pauseClass = pauseClass;
  }

  push(packet: Packet): void {
    this.#responses.push(packet);
  }

  next(paused: readonly boolean[]): Packet | undefined {
    const first = this.#responses.at(0);
    if (first === undefined || paused[this.#pauseClass ?? first.trafficClass]) return undefined;
    return this.#responses.shift();
  }

  clear(): Packet[] {
    const responses = this.#responses;
    this.#responses = [];
    return responses;
  }

  [Symbol.iterator](): Iterator<Packet> {
    return this.#responses[Symbol.iterator]();
  }
}
