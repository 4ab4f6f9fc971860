/**
 * Oblivious spraying: round robin over all paths, in an order that changes after each round.
 *
 *   EV = ((i ^ x) & (N - 1)) | (top & ~(N - 1)),   i = 0 to N - 1;  after a round x is drawn again
 *
 * N is a power of two. `top` is drawn once per flow.
 */
import type { MersenneTwister } from '../mersenne-twister.js';
import type { PathSelector } from './path-selector.js';

const TOP_RANGE = 65_535;

/** The path order that oblivious spraying and the bitmap share. */
export class PathRound {
  readonly paths: number;
  readonly #random: MersenneTwister;
  readonly #top: number;
  #mask: number;
  #place = 0;

  constructor(random: MersenneTwister, paths: number) {
    this.paths = paths;
    this.#random = random;
    this.#top = (random.draw() % TOP_RANGE) & ~(paths - 1);
    this.#mask = random.draw() % paths;
  }

  /** Number of the current path, 0 to N - 1. */
  get path(): number {
    return (this.#place ^ this.#mask) & (this.paths - 1);
  }

  get ev(): number {
    return this.path | this.#top;
  }

  advance(): void {
    this.#place += 1;
    if (this.#place < this.paths) return;
    this.#place = 0;
    this.#mask = this.#random.draw() & (this.paths - 1);
  }
}

export class ObliviousSelector implements PathSelector {
  readonly #round: PathRound;

  constructor(random: MersenneTwister, paths: number) {
    this.#round = new PathRound(random, paths);
  }

  next(): number {
    const { ev } = this.#round;
    this.#round.advance();
    return ev;
  }

  feedback(): void {
    // Oblivious: no feedback changes the order.
  }
}
