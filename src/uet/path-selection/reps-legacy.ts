/**
 * The first version of REPS: round robin over all paths, from path 1 on, within the first window or the first N packets; then
 * entropy values with good feedback, oldest first; without any, a random path.
 */
import type { MersenneTwister } from '../mersenne-twister.js';
import { Fifo } from '../fifo.js';
import type { PathFeedback, PathSelector } from './path-selector.js';

export class RepsLegacySelector implements PathSelector {
  readonly #random: MersenneTwister;
  readonly #paths: number;
  readonly #good = new Fifo<number>();
  #path = 0;

  constructor(random: MersenneTwister, paths: number) {
    this.#random = random;
    this.#paths = paths;
  }

  next(seq: number, windowPackets: number): number {
    if (seq < Math.min(windowPackets, this.#paths)) this.#path = (this.#path + 1) % this.#paths;
    else this.#path = this.#good.shift() ?? this.#random.draw() % this.#paths;
    return this.#path;
  }

  feedback(ev: number, feedback: PathFeedback): void {
    if (feedback === 'good') this.#good.push(ev);
  }
}
