/** Mixed: reuses entropy values with good feedback, oldest first; without any, the bitmap chooses. */
import type { MersenneTwister } from '../mersenne-twister.js';
import { Fifo } from '../fifo.js';
import { BitmapSelector } from './bitmap.js';
import type { PathFeedback, PathSelector } from './path-selector.js';

export class MixedSelector implements PathSelector {
  readonly #bitmap: BitmapSelector;
  readonly #good = new Fifo<number>();

  constructor(random: MersenneTwister, paths: number) {
    this.#bitmap = new BitmapSelector(random, paths);
  }

  next(): number {
    return this.#good.shift() ?? this.#bitmap.next();
  }

  feedback(ev: number, feedback: PathFeedback): void {
    this.#bitmap.feedback(ev, feedback);
    if (feedback === 'good') this.#good.push(ev);
  }
}
