/**
 * Strides of `source-route`: one number selects a path of the network, with one digit per tier.
 *
 *   tier      links from the nearest host, less 1
 *   stride    1 at tier 0; at tier t: the stride of tier t - 1 times the maximum number of equal next hops of its switches
 */
import { isHost, peerOf, portsOf, type Graph } from '../../compile/graph.js';
import type { Routes } from '../../compile/routes.js';

/** Stride of each node; 1 for hosts. */
export function routeStrides(graph: Graph, routes: Routes): number[] {
  const tiers = tiersOf(graph);
  const most = mostNextHops(graph, routes);
  const widest: number[] = [];
  tiers.forEach((tier, node) => {
    if (tier >= 0) widest[tier] = Math.max(widest[tier] ?? 1, most[node]);
  });
  const strideOf = [1];
  for (let tier = 1; tier < widest.length; tier++)
    strideOf[tier] = Math.min(strideOf[tier - 1] * widest[tier - 1], 2 ** 16);
  return tiers.map((tier) => (tier < 0 ? 1 : strideOf[tier]));
}

/** Tier of each node; -1 for hosts, and for switches that no host reaches. */
function tiersOf(graph: Graph): number[] {
  const { nodes, hosts } = graph.network;
  const tiers = nodes.map(() => -1);
  let reached: readonly number[] = hosts;
  for (let tier = 0; reached.length > 0; tier++) {
    const next = reached.flatMap((node) => portsOf(graph, node).map((port) => peerOf(graph, port)))
      .filter((node) => !isHost(graph, node) && tiers[node] < 0);
    reached = [...new Set(next)];
    for (const node of reached) tiers[node] = tier;
  }
  return tiers;
}

/** Maximum number of equal next hops of each node towards any host. */
function mostNextHops({ network: { nodes } }: Graph, { table, groups }: Routes): number[] {
  const { rowOf, columns } = table.parts;
  return nodes.map((_, node) => {
    const row = rowOf[node];
    return row < 0 ? 1 : columns.reduce((most, column) => Math.max(most, groups[column[row]]?.length ?? 1), 1);
  });
}
