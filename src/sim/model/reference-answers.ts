/** The answers of a port in the reference simulators: one row, held by the pause of one class; 0: never held. */
import type { Packet } from './packet.js';
import type { AnswerQueue } from './parts.js';

export class ReferenceAnswers implements AnswerQueue {
  readonly #pauseClass: number | undefined;
  #answers: Packet[] = [];

  /** @param pauseClass of all; undefined: each its own. */
  constructor(pauseClass: number | undefined) {
    this.#pauseClass = pauseClass;
  }

  push(packet: Packet): void {
    this.#answers.push(packet);
  }

  next(paused: readonly boolean[]): Packet | undefined {
    const first = this.#answers.at(0);
    if (first === undefined || paused[this.#pauseClass ?? first.trafficClass]) return undefined;
    return this.#answers.shift();
  }

  clear(): Packet[] {
    const answers = this.#answers;
    this.#answers = [];
    return answers;
  }

  [Symbol.iterator](): Iterator<Packet> {
    return this.#answers[Symbol.iterator]();
  }
}
