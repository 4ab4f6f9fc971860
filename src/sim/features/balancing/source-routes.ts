/**
 * Strides of `source-route` and bits of `entropy-bits`: one number selects a path of the network, with one digit per tier.
 *
 *   tier      links from the nearest host, less 1; the tier of adapters is that of the planes
 *   stride    1 at tier 0; at tier t: the stride of tier t - 1 times the maximum number of equal next hops of its switches
 *   bits      as the scenario says; by default as many as number these next hops, at tier t behind those of tier t - 1
 */
import { isHost, peerOf, portsOf, type Graph } from '../../compile/graph.js';
import type { Routes } from '../../compile/routes.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import type { BitField } from './plan.js';
import { ENTROPY_BITS } from './rules.js';

export const ALL_BITS: BitField = { offset: 0, width: ENTROPY_BITS };
const NO_BITS: BitField = { offset: 0, width: 0 };

/** Stride of each node; 1 for hosts. */
export function routeStrides(graph: Graph, routes: Routes): number[] {
  const tiers = tiersOf(graph);
  const widest = widestOf(graph, routes, tiers);
  const strideOf = [1];
  for (let tier = 1; tier < widest.length; tier++)
    strideOf[tier] = Math.min(strideOf[tier - 1] * widest[tier - 1], 2 ** 16);
  return tiers.map((tier) => (tier < 0 ? 1 : strideOf[tier]));
}

/**
 * Bits that each node reads; hosts read none.
 *
 * @throws RoceError `invalid-scenario` if a tier with equal next hops has no bits.
 */
export function entropyBits({ balancing: { entropyBits: { plane, tiers: given } }, network: { planes } }: ValidScenario,
  graph: Graph, routes: Routes): BitField[] {
  if (plane !== null && planes === undefined) {
    const where = 'switches.entropyBits.plane';
    rejectScenario({ what: where, problem: 'is given, but the network has no planes', got: plane, where });
  }
  const tiers = tiersOf(graph);
  const widest = widestOf(graph, routes, tiers);
  const ofPlanes = plane ?? ALL_BITS;
  const fields = given === null ? packed(widest) : planes === undefined ? given : [ofPlanes, ...given];
  const without = widest.findIndex((most, tier) => most > 1 && fields[tier] === undefined);
  if (without >= 0) rejectTier(without - Number(planes !== undefined), widest[without]);
  return tiers.map((tier) => fields[tier] ?? NO_BITS);
}

/** As many bits as number the next hops of each tier, from bit 0 on; undefined for a tier that has too few left. */
function packed(widest: readonly number[]): (BitField | undefined)[] {
  let offset = 0;
  return widest.map((most) => {
    const field = { offset, width: 32 - Math.clz32(Math.max(most, 1) - 1) };
    offset += field.width;
    return offset > ENTROPY_BITS ? undefined : field;
  });
}

function rejectTier(tier: number, nextHops: number): never {
  const where = 'switches.entropyBits.tiers';
  return rejectScenario({
    what: where,
    problem: `has no bits for tier ${tier}, whose switches choose among ${nextHops} next hops`,
    got: tier,
    where,
  });
}

/** Maximum number of equal next hops of each tier. */
function widestOf(graph: Graph, routes: Routes, tiers: readonly number[]): number[] {
  const most = mostNextHops(graph, routes);
  const widest: number[] = [];
  tiers.forEach((tier, node) => {
    if (tier >= 0) widest[tier] = Math.max(widest[tier] ?? 1, most[node]);
  });
  return widest;
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
