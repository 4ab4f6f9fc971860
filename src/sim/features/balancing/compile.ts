/** Load balancing and source-port changes under `standard`, in numbers, and the network that they require. */
import { UPLINKS_MAX } from '../../../abi/records/balancing.js';
import { PS_PER_US } from '../../../unit-sizes.js';
import { BYTES_PER_KB, PS_PER_NS } from '../../../unit-sizes.js';
import type { AdaptivePlan, BalancingPlan } from './plan.js';
import { DEFAULT_CLASS_SHARES, DEFAULT_FLOWLET_GAPS_US, ECN_REFERENCE_RATE_BPS } from '../../scenario/defaults.js';
import { listNames, rejectScenario } from '../../scenario/scenario-error.js';
import type { HostSpec } from '../../scenario/spec.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import { isHost, peerOf, portsOf, type Graph } from '../../compile/graph.js';
import { selectionPlan } from './path-selection.js';
import type { WeighedRoutes } from './path-weights.js';
import { portsTowards, type Routes } from '../../compile/routes.js';
import { entropyBits, routeStrides } from './source-routes.js';
import { usidsPlan } from './usids.js';

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
