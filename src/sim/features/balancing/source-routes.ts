/**
 * Source routes: one number selects a path of the network, with one digit per tier, for `source-route` (strides) and
 * `entropy-bits` (bits). Switches may also forward by lists of SRv6 uSIDs (docs/specs/mrc-formats.md, section 2.16), which the
 * source writes into an outer header.
 *
 *   tier      links from the nearest host, less 1; the tier of adapters is that of the planes
 *   stride    1 at tier 0; at tier t: the stride of tier t - 1 times the maximum number of equal next hops of its switches
 *   bits      as the scenario says; by default as many as number these next hops, at tier t behind those of tier t - 1
 *
 *   outer destination   block, uSIDs of the switches in order, number of the last one's port to the host, zeros
 *   switch              its number among the switches of the topology, from 1: 1..0xdfff, the global uSIDs
 *   port to the host    0xe000 plus its number among the ports of its switch, from 0: local uSIDs, whose meaning differs by switch
 *   adapter             none: it is part of its host, and writes the header for the plane that it chose
 *
 * All switches forward the same way: a switch whose uSID is active shifts the list, then finds the egress port of the new
 * active uSID in a static table. A table may lack a uSID for a while.
 */
import { parseIpAddress } from '../../../wire/ip/ip-address.js';
import { UsidCarrier } from '../../../wire/mrc/ip-fields.js';
import { isHost, peerOf, portsOf, type Graph, leadsToHost, type Routes } from '../../compile/routes.js';
import { timesOf } from '../../compile/port-settings.js';
import type { NetworkPlan } from '../../plan.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { FaultSpec, UsidWithdrawnSpec } from '../../scenario/spec.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import type { BitField, UsidsPlan, UsidEventPlan } from './plan.js';
import { ENTROPY_BITS, type BalancingRule } from './rules.js';

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

const FIRST_LOCAL_USID = 0xe000;
const LOCAL_USIDS = 0x10000 - FIRST_LOCAL_USID;
/** The last uSID of a list identifies a port. */
const SWITCHES_MAX = UsidCarrier.USIDS_MAX - 1;
const WHERE = 'switches.usids';

/**
 * The plan of source routes in outer headers; undefined: packets have no outer header.
 *
 * @param switches number of switches on the longest path between hosts.
 * @throws RoceError `invalid-scenario` for rules other than `source-route`, and for networks whose paths do not fit into a
 * list.
 */
export function usidsPlan({ balancing: { usids }, wan, network, faults }: ValidScenario, graph: Graph,
  rules: readonly BalancingRule[], switches: number): UsidsPlan | undefined {
  requireTables(faults, usids !== null, network);
  if (usids === null) return undefined;
  requireSourceRoutes(graph, rules);
  if (wan !== null) rejectNetwork('is not modelled in a network with tunnels');
  if (network.routes.length > 0)
    rejectNetwork('is not modelled with routes by hand, which may be longer than the shortest paths');
  const isAdapter = network.planes?.isAdapter ?? [];
  const adaptersOfPath = network.planes === undefined ? 0 : 2;
  requireAtMost('the number of switches on a path with uSIDs', switches - adaptersOfPath, SWITCHES_MAX);
  const forwarding = network.nodes.filter(({ kind }, node) => kind === 'switch' && !isAdapter[node]);
  requireAtMost('the number of switches with uSIDs', forwarding.length, FIRST_LOCAL_USID - 1);
  requireLocalUsids(graph);
  const address = parseIpAddress(usids.block.slice(0, usids.block.indexOf('/')));
  const events = usidEvents(faults, graph);
  return { block: UsidCarrier.read(address).block, ...(events.length > 0 && { events }) };
}

/** Rejects faults of tables that a network does not have. */
function requireTables(faults: readonly FaultSpec[], hasUsids: boolean, { nodes, planes }: Graph['network']): void {
  faults.forEach((fault, i) => {
    if (fault.kind !== 'usid-withdrawn') return;
    if (!hasUsids) {
      const where = `faults[${i}]`;
      rejectScenario({ what: where, problem: 'needs switches.usids', got: fault.kind, where });
    }
    if (planes?.isAdapter[nodes.findIndex(({ name }) => name === fault.node)] !== true) return;
    const problem = 'is an adapter, which has no table of uSIDs';
    rejectScenario({ what: fault.node, problem, got: fault.node, where: `faults[${i}].node` });
  });
}

/** Rejects other rules: a switch with another rule would ignore the list. */
function requireSourceRoutes({ network: { nodes, planes } }: Graph, rules: readonly BalancingRule[]): void {
  const other = rules.findIndex((rule, node) =>
    nodes[node].kind === 'switch' && planes?.isAdapter[node] !== true && rule !== 'source-route'
  );
  if (other < 0) return;
  rejectScenario({
    what: WHERE,
    problem: 'needs loadBalancing source-route of all switches',
    got: { switch: nodes[other].name, loadBalancing: rules[other] },
    allowed: ['source-route'],
    where: WHERE,
  });
}

function requireLocalUsids(graph: Graph): void {
  graph.network.nodes.forEach(({ kind }, node) => {
    if (kind === 'host' || graph.network.planes?.isAdapter[node] === true) return;
    const ports = portsOf(graph, node);
    const last = ports.findLastIndex((port) => leadsToHost(graph, port));
    requireAtMost('the number of ports of a switch up to its last host', last + 1, LOCAL_USIDS);
  });
}

function requireAtMost(what: string, got: number, max: number): void {
  if (got > max) rejectScenario({ what, got, allowed: { max }, where: WHERE });
}

function rejectNetwork(problem: string): never {
  return rejectScenario({ what: WHERE, problem, got: true, where: WHERE });
}

// ---- Routes of packets

/** The parts of a plan that determine the path of a source-routed packet. */
export type RoutedNetwork = Pick<NetworkPlan, 'nodes' | 'ports' | 'routes' | 'groups' | 'balancing'>;

/** A source-routed packet. */
interface RoutedPacket {
  /** Node index of its sender. */
  readonly source: number;
  /** Node index of its receiver. */
  readonly destination: number;
  /** UDP source port: its entropy. */
  readonly sourcePort: number;
}

/**
 * The paths that a packet may take, each as its egress ports from the sender's on. A host with several ports, or with an adapter, has several paths,
 * because other ports take the packets of one that is down. The path in the plane of the packet's entropy comes first.
 */
export function* sourceRoutes(network: RoutedNetwork, packet: RoutedPacket): Generator<number[]> {
  const { nodes, ports, routes, groups } = network;
  const { firstPort, portCount } = nodes[packet.source];
  for (let port = firstPort; port < firstPort + portCount; port++) {
    const head = headOf(ports, port);
    if (nodes[head].isAdapter !== true) {
      yield routeFrom(network, [port], packet);
      continue;
    }
    const planes = groups[routes.group(head, packet.destination)] ?? [];
    for (const at of planes.keys())
      yield routeFrom(network, [port, planes[(packet.sourcePort + at) % planes.length]], packet);
  }
}

/** @param start the ports until the first switch. */
function routeFrom({ ports, routes, groups, balancing }: RoutedNetwork, start: readonly number[],
  { destination, sourcePort }: RoutedPacket): number[] {
  const route = [...start];
  // Terminates: each next hop is on a shortest path, so it is closer to the destination.
  for (let node = headOf(ports, route[route.length - 1]); node !== destination;) {
    const nextHops = groups[routes.group(node, destination)] ?? [];
    if (nextHops.length === 0) return route;
    const stride = balancing?.strides[node] ?? 1;
    const egress = nextHops[Math.floor(sourcePort / stride) % nextHops.length];
    route.push(egress);
    node = headOf(ports, egress);
  }
  return route;
}

/** A packet's place on its path. */
export interface UsidPlace {
  /** Switches that it has passed. */
  readonly passed: number;
  /** uSIDs of the switches ahead, and of the last one's port. */
  readonly ahead: readonly number[];
}

/** The place of a packet about to leave by the port `route[at]`. `numbers`: the uSID of each switch, by node. */
export function usidPlace({ nodes, ports }: RoutedNetwork, numbers: ReadonlyMap<number, number>,
  route: readonly number[], at: number): UsidPlace {
  // Without a switch between two hosts, the last port is the sender's.
  const lastAt = Math.max(0, route.findLastIndex((port) => numbers.has(ports[port].node)));
  const last = route[lastAt];
  const switches = route.slice(at, lastAt).flatMap((port) => numbers.get(headOf(ports, port)) ?? []);
  const passed = route.slice(0, at).filter((port) => numbers.has(headOf(ports, port))).length;
  return { passed, ahead: [...switches, FIRST_LOCAL_USID + last - nodes[ports[last].node].firstPort] };
}

/** uSIDs of the switches, by node; adapters have none. */
export function usidsOfSwitches(nodes: NetworkPlan['nodes']): Map<number, number> {
  const switches = [...nodes.keys()].filter((node) => nodes[node].kind === 'switch' && nodes[node].isAdapter !== true);
  return new Map(switches.map((node, index) => [node, index + 1]));
}

function headOf(ports: NetworkPlan['ports'], port: number): number {
  return ports[ports[port].peerPort].node;
}

/**
 * When tables of switches lose uSIDs, and when they have them again, in order of time. Faults that overlap count once.
 *
 *   next given   the switch lacks the uSID of that neighbour, or that of its port to that host
 *   otherwise    the switch does not know its own uSID: it forwards no list at all, to any of its ports
 */
function usidEvents(faults: readonly FaultSpec[], graph: Graph): UsidEventPlan[] {
  const withdrawals = faults.flatMap((fault) => fault.kind === 'usid-withdrawn' ? [fault] : []);
  const timesPs = [...new Set(withdrawals.flatMap(timesOf))].filter((timePs) => timePs < Infinity);
  const events: UsidEventPlan[] = [];
  let before = new Set<number>();
  for (const timePs of timesPs.sort((a, b) => a - b)) {
    const now = portsWithoutUsid(withdrawals, graph, timePs);
    const changed = [...new Set([...before, ...now])].filter((port) => before.has(port) !== now.has(port));
    changed.sort((a, b) => a - b);
    events.push(...changed.map((port) => ({ timePs, port, isWithdrawn: now.has(port) })));
    before = now;
  }
  return events;
}

function portsWithoutUsid(withdrawals: readonly UsidWithdrawnSpec[], graph: Graph, timePs: number): Set<number> {
  const nodeNamed = (name: string): number => graph.network.nodes.findIndex((node) => node.name === name);
  return new Set(withdrawals.flatMap((fault) => {
    const [fromPs, toPs] = timesOf(fault);
    if (timePs < fromPs || timePs >= toPs) return [];
    const ports = portsOf(graph, nodeNamed(fault.node));
    if (fault.next === undefined) return ports;
    const neighbour = nodeNamed(fault.next);
    return ports.filter((port) => peerOf(graph, port) === neighbour);
  }));
}
