/**
 * SRv6 uSIDs of a network in which switches forward by source routes (docs/specs/mrc-formats.md, section 2.16):
 *
 *   outer destination   block, uSIDs of the switches in order, number of the last one's port to the host, zeros
 *   switch              its number among the switches of the topology, from 1: 1..0xdfff, the global uSIDs
 *   port to the host    0xe000 plus its number among the ports of its switch, from 0: local uSIDs, whose meaning differs by switch
 *   adapter             none: it is part of its host, and writes the header for the plane that it chose
 *
 * All switches forward the same way: a switch whose uSID is active shifts the list, then finds the egress port of the new
 * active uSID in a static table. A table may lack a uSID for a while (below).
 */
import { parseIpAddress } from '../../../wire/ip/ip-address.js';
import { UsidCarrier } from '../../../wire/mrc/ip-fields.js';
import { leadsToHost, portsOf, peerOf, type Graph } from '../../compile/graph.js';
import { timesOf } from '../../compile/port-settings.js';
import type { NetworkPlan } from '../../plan.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { FaultSpec, UsidWithdrawnSpec } from '../../scenario/spec.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import type { UsidsPlan, UsidEventPlan } from './plan.js';
import type { BalancingRule } from './rules.js';

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
export interface RoutedPacket {
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

/*
 * When tables of switches lose uSIDs, and when they have them again.
 *
 *   next given   the switch lacks the uSID of that neighbour, or that of its port to that host
 *   otherwise    the switch does not know its own uSID: it forwards no list at all, to any of its ports
 */

/** Changes in order of time. Faults that overlap count once. */
export function usidEvents(faults: readonly FaultSpec[], graph: Graph): UsidEventPlan[] {
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
