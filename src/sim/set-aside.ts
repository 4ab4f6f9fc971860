/** How often a port's reserve and headroom are set aside: once per class that has them, or once for all (reference). */
import type { Rules } from './plan.js';

export function timesSetAside({ guaranteedClasses }: Pick<Rules, 'guaranteedClasses'>): number {
  if (guaranteedClasses === undefined) return 1;
  let times = 0;
  for (let left = guaranteedClasses; left > 0; left >>>= 1) times += left & 1;
  return times;
}
