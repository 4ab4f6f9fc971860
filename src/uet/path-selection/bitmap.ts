/**
 * Bitmap: oblivious spraying that skips paths with a penalty.
 *
 *   penalty, 0 to 15: ECN + 1, NACK + 4, timeout + 15
 *   next: while the current path has a penalty, advance, at most N times; the penalty of the first skipped path falls by 1
 */
import type { MersenneTwister } from '../mersenne-twister.js';
import { PathRound } from './oblivious.js';
import type { PathFeedback, PathSelector } from './path-selector.js';

const PENALTY_MAX = 15;
const PENALTIES: Readonly<Record<PathFeedback, number>> = { good: 0, ecn: 1, nack: 4, timeout: 15 };

export class BitmapSelector implements PathSelector {
  readonly #round: PathRound;
  readonly #penalties: Uint8Array;

  constructor(random: MersenneTwister, paths: number) {
    this.#round = new PathRound(random, paths);
    this.#penalties = new Uint8Array(paths);
  }

  next(): number {
    const round = this.#round;
    const penalties = this.#penalties;
    if (penalties[round.path] > 0) penalties[round.path] -= 1;
    else return this.#use();
    for (let skipped = 0; skipped < round.paths; skipped += 1) {
      round.advance();
      if (penalties[round.path] === 0) break;
    }
    return this.#use();
  }

  feedback(ev: number, feedback: PathFeedback): void {
    const path = ev & (this.#round.paths - 1);
    this.#penalties[path] = Math.min(this.#penalties[path] + PENALTIES[feedback], PENALTY_MAX);
  }

  #use(): number {
    const { ev } = this.#round;
    this.#round.advance();
    return ev;
  }
}
