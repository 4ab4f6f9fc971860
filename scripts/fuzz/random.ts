/** Chance from a seed: the same numbers on every machine. */
import { Chance } from '../../test/parser/support/random-frames.js';

/** Of the finaliser of MurmurHash3: seeds that follow each other begin far apart. */
const SPREAD_1 = 0x85ebca6b;
const SPREAD_2 = 0xc2b2ae35;
const WHOLE = 0x1_0000_0000;

export class Random extends Chance {
  constructor(seed: number) {
    super(spread(seed));
  }

  /** Of another source. */
  seed(): number {
    return this.below(WHOLE);
  }

  /** True once in `times`. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  /** An entry of a list that is not empty. */
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }
}

function spread(seed: number): number {
  let mixed = Math.imul(seed ^ (seed >>> 16), SPREAD_1);
  mixed = Math.imul(mixed ^ (mixed >>> 13), SPREAD_2);
  return mixed ^ (mixed >>> 16);
}
