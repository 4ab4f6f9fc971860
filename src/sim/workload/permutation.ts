/** Permutation: each host sends once and receives once. */
import type { PermutationSpec } from '../scenario/spec.js';
import { Draws } from './random.js';
import { flowOf, type WorkloadContext, type WorkloadFlow } from './workload-flow.js';

export function permutation(spec: PermutationSpec, context: WorkloadContext): WorkloadFlow[] {
  const { hosts } = context;
  const partners = derangement(hosts.length, new Draws(context.seed));
  return hosts.map((host, i) => flowOf(context, host, hosts[partners[i]], spec.sizeBytes));
}

/**
 * A uniformly distributed permutation without fixed points: a Fisher-Yates shuffle, repeated until there are none, which takes
 * e tries on average.
 *
 * @param count at least 2.
 */
export function derangement(count: number, draws: Draws): number[] {
  for (;;) {
    const order = Array.from({ length: count }, (_, i) => i);
    for (let i = count - 1; i > 0; i--) {
      const j = draws.below(i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    if (order.every((partner, i) => partner !== i)) return order;
  }
}
