/** The path selectors by the value of `-load_balancing_algo`. */
import type { EventList } from '../event-list.js';
import type { MersenneTwister } from '../mersenne-twister.js';
import { BitmapSelector } from './bitmap.js';
import { MixedSelector } from './mixed.js';
import { ObliviousSelector } from './oblivious.js';
import type { PathSelector } from './path-selector.js';
import { RepsLegacySelector } from './reps-legacy.js';
import { RepsSelector } from './reps.js';

export const PATH_SELECTORS = ['oblivious', 'bitmap', 'reps', 'reps_legacy', 'mixed'] as const;
export type PathSelectorName = (typeof PATH_SELECTORS)[number];

/** Constructor arguments of a selector. */
export interface PathSelectorParts {
  readonly random: MersenneTwister;
  readonly events: EventList;
  /** Number of paths, a power of two. */
  readonly paths: number;
  readonly isTrimming: boolean;
}

export function pathSelector(name: PathSelectorName,
  { random, events, paths, isTrimming }: PathSelectorParts): PathSelector {
  switch (name) {
    case 'oblivious':
      return new ObliviousSelector(random, paths);
    case 'bitmap':
      return new BitmapSelector(random, paths);
    case 'mixed':
      return new MixedSelector(random, paths);
    case 'reps_legacy':
      return new RepsLegacySelector(random, paths);
    case 'reps':
      return new RepsSelector(random, events, { paths, isTrimming });
  }
}
