/** Load balancing and source-port changes under `standard`, in numbers, and the network that they require. */
import { UPLINKS_MAX } from '../../../abi/records/balancing.js';
import { BYTES_PER_KB, PS_PER_NS, PS_PER_US } from '../../../units.js';
import { isHost, peerOf, portsOf, type Graph, portsTowards, type Routes } from '../../compile/routes.js';
import { DIRECT, NO_PATH, RouteTable } from '../../route-table.js';
import { DEFAULT_CLASS_SHARES, DEFAULT_FLOWLET_GAPS_US, ECN_REFERENCE_RATE_BPS } from '../../scenario/defaults.js';
import { listNames, rejectScenario } from '../../scenario/scenario-error.js';
import type { HostSpec } from '../../scenario/spec.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import { selectionPlan } from './path-selection.js';
import type { AdaptivePlan, BalancingPlan } from './plan.js';
import { RULE_FACTS } from './rules.js';
import { entropyBits, routeStrides, usidsPlan } from './source-routes.js';

const BITS_PS = 8e12;

/** The routes, and the length of the longest path. */
export interface BalancedRoutes extends WeighedRoutes {
  /** Number of switches on the longest path between hosts. */
  readonly switches: number;
}

/**
 * The plan of load balancing; undefined if all switches hash and no host changes source ports.
 *
 * @param longestRttPs longest base round trip of all pairs of hosts.
 * @throws RoceError `invalid-scenario` for a network that `conga` does not support, manual routes with cycles, or hosts that
 * change source ports both per packet and per flow.
 */
export function balancingPlan(valid: ValidScenario, graph: Graph, { routes, weights, switches }: BalancedRoutes,
  longestRttPs: number): BalancingPlan | undefined {
  if (valid.fidelity !== 'standard') return undefined;
  const rules = valid.switches.map((settings) => settings?.balancingRule ?? 'ecmp');
  const usids = usidsPlan(valid, graph, rules, switches);
  const detours = valid.network.nodes.map(({ kind }, node) => kind === 'host' && takesDetours(valid, node));
  const selection = selectionPlan(valid, detours, longestRttPs);
  const isPlain = rules.every((rule) => rule === 'ecmp') && !detours.includes(true) && selection === undefined;
  if (isPlain) return undefined;
  requireNoCycles(valid, graph, routes);
  const { flowletGapUs, drill, conga } = valid.balancing;
  const isConga = rules.includes('conga');
  const gapUs = flowletGapUs ?? DEFAULT_FLOWLET_GAPS_US[isConga ? 'conga' : 'flowlet'];
  return {
    rules,
    flowletGapPs: Math.round(gapUs * PS_PER_US),
    drill,
    conga: {
      tauPs: Math.round(conga.tauUs * PS_PER_US),
      ageingPs: Math.round(conga.ageingUs * PS_PER_US),
      leaves: isConga ? leavesOf(graph, routes) : [],
    },
    adaptive: adaptivePlan(valid, longestRttPs),
    weights,
    strides: rules.includes('source-route') ? routeStrides(graph, routes) : [],
    bits: rules.includes('entropy-bits') ? entropyBits(valid, graph, routes) : [],
    detours,
    ...(usids === undefined ? {} : { usids }),
    ...(selection === undefined ? {} : { selection }),
  };
}

function adaptivePlan({ balancing: { adaptive: { thresholdsKB, refreshNs } } }: ValidScenario,
  longestRttPs: number): AdaptivePlan {
  const limitBytes = (longestRttPs * ECN_REFERENCE_RATE_BPS) / BITS_PS;
  return {
    thresholdsBytes: thresholdsKB === null ?
      DEFAULT_CLASS_SHARES.map((share) => Math.round(share * limitBytes)) :
      thresholdsKB.map((threshold) => Math.round(threshold * BYTES_PER_KB)),
    refreshPs: Math.round(refreshNs * PS_PER_NS),
  };
}

function takesDetours({ hosts, hostOverrides }: ValidScenario, host: number): boolean {
  const does: HostSpec['onFastCnp'] = hostOverrides[host]?.onFastCnp ?? hosts.onFastCnp;
  return does === 'slow-down-and-detour';
}

// ---- CONGA's two tiers

/** Switches that have hosts, ascending. */
function leavesOf(graph: Graph, routes: Routes): number[] {
  const { nodes, hosts } = graph.network;
  const leafOf = new Map(hosts.map((host) => [host, leafOfHost(graph, host)]));
  const leaves = [...new Set(leafOf.values())].sort((a, b) => a - b);
  for (const leaf of leaves) {
    const uplinks = portsOf(graph, leaf).filter((port) => !isHost(graph, peerOf(graph, port))).length;
    if (uplinks <= UPLINKS_MAX) continue;
    const what = `the number of links of ${nodes[leaf].name} to other switches under conga`;
    rejectScenario({ what, got: uplinks, allowed: { max: UPLINKS_MAX }, where: 'topology' });
  }
  for (const leaf of leaves) {
    for (const [host, other] of leafOf) {
      if (other !== leaf && !isTwoTier(graph, routes, leaf, other, host)) rejectTiers(graph, leaf, other);
    }
  }
  return leaves;
}

function leafOfHost(graph: Graph, host: number): number {
  const peers = portsOf(graph, host).map((port) => peerOf(graph, port));
  if (peers.length === 1 && !isHost(graph, peers[0])) return peers[0];
  const { nodes } = graph.network;
  return rejectScenario({
    what: 'loadBalancing conga',
    problem: 'needs each host to have one link, to one switch',
    got: { host: nodes[host].name, links: listNames(peers.map((peer) => nodes[peer].name)) },
    where: 'switches.loadBalancing',
  });
}

/** Whether each path between two leaves crosses exactly one other switch, which has no hosts. */
function isTwoTier(graph: Graph, routes: Routes, from: number, to: number, host: number): boolean {
  return portsTowards(graph, routes, from, host).every((port) => {
    const spine = peerOf(graph, port);
    const hasHosts = portsOf(graph, spine).some((one) => isHost(graph, peerOf(graph, one)));
    return !hasHosts && portsTowards(graph, routes, spine, host).every((next) => peerOf(graph, next) === to);
  });
}

function rejectTiers({ network: { nodes } }: Graph, from: number, to: number): never {
  return rejectScenario({
    what: 'loadBalancing conga',
    problem: 'needs a leaf-spine network: between two switches with hosts always one without',
    got: { from: nodes[from].name, to: nodes[to].name },
    where: 'switches.loadBalancing',
    hint: 'All other rules work in any network',
  });
}

// ---- Manual routes

/**
 * Rejects cycles in manual routes. The compiler has already checked each flow's hashed path, but balanced packets may take any
 * combination of next hops.
 */
function requireNoCycles({ flows, network }: ValidScenario, graph: Graph, routes: Routes): void {
  if (network.routes.length === 0) return;
  const destinations = new Set(Array.from({ length: flows.length }, (_, flow) => flows.get(flow).destination));
  for (const destination of destinations) {
    const seen = new Map<number, 'open' | 'done'>();
    const visit = (node: number): void => {
      if (seen.get(node) === 'open') rejectCycle(graph, node, destination);
      if (seen.has(node) || isHost(graph, node)) return;
      seen.set(node, 'open');
      for (const port of portsTowards(graph, routes, node, destination)) visit(peerOf(graph, port));
      seen.set(node, 'done');
    };
    network.nodes.forEach((_, node) => {
      visit(node);
    });
  }
}

function rejectCycle({ network: { nodes } }: Graph, node: number, destination: number): never {
  return rejectScenario({
    what: 'the routes',
    problem: `lead from ${nodes[node].name} to ${
      nodes[destination].name
    } in cycles, if other paths than the hash's are taken`,
    got: { node: nodes[node].name, destination: nodes[destination].name },
    where: 'topology.routes',
    hint: 'Leave switches.loadBalancing, hosts.onFastCnp and hosts.pathSelection out, or correct the routes',
  });
}

/** Maximum sum of a group's weights, and so the resolution of weights that have no small common divisor. */
const TABLE_ENTRIES = 65_536;

/** Routes in which weighted switches have a group for each list of weights, and the weights of each group. */
export interface WeighedRoutes {
  readonly routes: Routes;
  readonly weights: readonly (readonly number[] | undefined)[];
}

export function weighRoutes({ switches }: ValidScenario, graph: Graph, routes: Routes): WeighedRoutes {
  const weighted = switches.map((settings) => settings !== null && RULE_FACTS[settings.balancingRule].weighs === true);
  return weighted.includes(true) ? new Weigher(graph, routes, weighted).weigh() : { routes, weights: [] };
}

/** Number of paths of each capacity, bits per second. */
type Capacities = ReadonlyMap<number, number>;

const NONE: Capacities = new Map();
const UNLIMITED: Capacities = new Map([[Infinity, 1]]);

/**
 * Weights of next hops by the capacity that they lead to, for `wcmp` and `weighted-random`.
 *
 *   capacity of a path  the lowest rate of its links, from the switch to the last switch, or to the host if that has several links
 *   weight              sum of the capacities of all shortest paths that begin with the next hop
 *
 * With these weights, if all senders below a tier send at full rate to all hosts above a slow link, no link is overloaded
 * before all are full. Example: of two 100 Gb/s uplinks, one leads to 8 cores at 100 Gb/s, the other to 7 at 100 Gb/s and one
 * at 50; the weights are 800 and 750. The host's own link is not counted, as all paths end with it.
 *
 * Weights depend on the destination, so a switch with a weighted rule has a separate group of next hops for each list of weights.
 * Weights are reduced to whole numbers whose sum is at most 65,536, the number of entries of the table that a hash indexes.
 *
 * Source      J. Zhou et al., "WCMP: Weighted Cost Multipathing for Improved Fairness in Data Centers", EuroSys 2014: weights in
 *             proportion to the capacity towards the destination, replicated entries of a table.
 * Deviations  the paper leaves open how capacity beyond the next hop is counted, and reduces tables to fit a switch's; here each
 *             group has 65,536 entries.
 */
class Weigher {
  readonly #graph: Graph;
  readonly #routes: Routes;
  readonly #weighted: readonly boolean[];
  readonly #groups: (readonly number[])[];
  readonly #weights: (readonly number[] | undefined)[] = [];
  /** Index of a group, by its original index and its weights. */
  readonly #groupOf = new Map<string, number>();
  readonly #nodeOfRow: readonly number[];

  constructor(graph: Graph, routes: Routes, weighted: readonly boolean[]) {
    this.#graph = graph;
    this.#routes = routes;
    this.#weighted = weighted;
    this.#groups = [...routes.groups];
    const nodeOfRow: number[] = [];
    routes.table.parts.rowOf.forEach((row, node) => {
      if (row >= 0) nodeOfRow[row] = node;
    });
    this.#nodeOfRow = nodeOfRow;
  }

  weigh(): WeighedRoutes {
    const { rowOf, columns, columnOf, directOf } = this.#routes.table.parts;
    const table = new RouteTable({
      rowOf,
      columns: columns.map((column) => this.#weighColumn(column)),
      columnOf,
      directOf,
    });
    return { routes: { table, groups: this.#groups }, weights: this.#groups.map((_, group) => this.#weights[group]) };
  }

  #weighColumn(column: Int32Array): Int32Array {
    const known = new Map<number, Capacities>();
    return column.map((group, row) => {
      const node = this.#nodeOfRow[row];
      const ports = group < 0 ? [] : this.#routes.groups[group];
      if (!this.#weighted[node] || ports.length < 2) return group;
      return this.#weighed(group, wholeWeights(ports.map((port) => sumOf(this.#through(column, known, port)))));
    });
  }

  /** Paths that begin with a port. */
  #through(column: Int32Array, known: Map<number, Capacities>, port: number): Capacities {
    const rateBps = this.#graph.rateBps[port];
    const paths = new Map<number, number>();
    for (const [capacity, count] of this.#from(column, known, peerOf(this.#graph, port))) {
      const least = Math.min(capacity, rateBps);
      paths.set(least, (paths.get(least) ?? 0) + count);
    }
    return paths;
  }

  /** Paths from a node to the destination. */
  #from(column: Int32Array, known: Map<number, Capacities>, node: number): Capacities {
    if (isHost(this.#graph, node)) return UNLIMITED;
    const row = this.#routes.table.parts.rowOf[node];
    const group = column[row];
    if (group === DIRECT) return UNLIMITED;
    if (group === NO_PATH) return NONE;
    const found = known.get(row);
    if (found !== undefined) return found;
    // Manual routes may have cycles.
    known.set(row, NONE);
    const paths = new Map<number, number>();
    for (const port of this.#routes.groups[group]) {
      for (const [capacity, count] of this.#through(column, known, port)) {
        paths.set(capacity, (paths.get(capacity) ?? 0) + count);
      }
    }
    known.set(row, paths);
    return paths;
  }

  /** The group with these weights. The first list of weights keeps the group's index. */
  #weighed(group: number, weights: readonly number[]): number {
    const key = `${group} ${weights.join()}`;
    const known = this.#groupOf.get(key);
    if (known !== undefined) return known;
    const index = this.#weights[group] === undefined ? group : this.#groups.push(this.#routes.groups[group]) - 1;
    this.#weights[index] = weights;
    this.#groupOf.set(key, index);
    return index;
  }
}

function sumOf(paths: Capacities): number {
  let sum = 0;
  for (const [capacity, count] of paths) sum += Math.round(capacity) * count;
  return sum;
}

/** Reduces sums to the smallest whole weights in proportion, each at least 1. */
function wholeWeights(sums: readonly number[]): number[] {
  const divisor = sums.reduce(greatestCommonDivisor, 0);
  const least = sums.map((sum) => (divisor > 0 ? sum / divisor : 1));
  const total = least.reduce((all, one) => all + one, 0);
  const scale = Math.min(1, TABLE_ENTRIES / total);
  return least.map((one) => Math.max(1, Math.floor(one * scale)));
}

function greatestCommonDivisor(a: number, b: number): number {
  let [greater, lesser] = [a, b];
  while (lesser > 0) [greater, lesser] = [lesser, greater % lesser];
  return greater;
}
