/**
 * Whether the routes of a plan can deadlock. A port depends on another if packets that it sends to a switch may leave that
 * switch by the other: their memory is freed only when they are sent. Without a cycle of dependencies no deadlock can form.
 *
 * Source: W. Dally, C. Seitz, Deadlock-Free Message Routing in Multiprocessor Interconnection Networks, IEEE Transactions on
 * Computers 36(5), 1987: channel dependency graph.
 */
import type { FlowPlans } from '../../flow-plans.js';
import type { NetworkPlan } from '../../plan.js';
import type { Graph } from '../../compile/graph.js';

/** A network, the routes of its switches and the flows that take them. */
export interface RoutedFlows {
  readonly graph: Graph;
  readonly flows: FlowPlans;
  readonly routes: Pick<NetworkPlan, 'routes' | 'groups'>;
}

/** Whether the paths of data and responses, including all equal-cost ones, have a cycle of dependencies. */
export function hasCycle({ graph, routes, flows }: RoutedFlows): boolean {
  const isSwitch = graph.network.nodes.map(({ kind }) => kind === 'switch');
  const next = new Map<number, Set<number>>();
  const nextHops = (node: number, host: number): readonly number[] => {
    const group = routes.routes.group(node, host);
    return group < 0 ? [] : routes.groups[group];
  };
  /** Follows the routes from a port to a host. */
  const follow = (from: number, host: number, seen: Set<number>): void => {
    const waiting = [from];
    for (let port = waiting.pop(); port !== undefined; port = waiting.pop()) {
      if (seen.has(port)) continue;
      seen.add(port);
      const node = graph.nodeOf[graph.peerPort[port]];
      if (!isSwitch[node]) continue;
      const there = next.get(port) ?? new Set();
      next.set(port, there);
      for (const egress of nextHops(node, host)) {
        there.add(egress);
        waiting.push(egress);
      }
    }
  };
  const seenOf = new Map<number, Set<number>>();
  const towards = (host: number): Set<number> => {
    const seen = seenOf.get(host) ?? new Set();
    seenOf.set(host, seen);
    return seen;
  };
  for (let flow = 0; flow < flows.length; flow++) {
    follow(flows.sourcePort[flow], flows.destination[flow], towards(flows.destination[flow]));
    follow(flows.responsePort[flow], flows.source[flow], towards(flows.source[flow]));
  }
  return isCyclic(next);
}

/**
 * Whether a graph has a cycle: removes ports on which nothing depends until none are left (no cycle) or each remaining one has
 * a predecessor.
 */
function isCyclic(next: ReadonlyMap<number, ReadonlySet<number>>): boolean {
  const before = new Map<number, number>();
  for (const nextHops of next.values())
    for (const egress of nextHops) before.set(egress, (before.get(egress) ?? 0) + 1);
  const free = [...next.keys()].filter((port) => !before.has(port));
  let left = next.size;
  for (let port = free.pop(); port !== undefined; port = free.pop()) {
    if (next.has(port)) left--;
    for (const egress of next.get(port) ?? []) {
      const count = (before.get(egress) ?? 0) - 1;
      before.set(egress, count);
      if (count === 0) free.push(egress);
    }
  }
  return left > 0;
}
