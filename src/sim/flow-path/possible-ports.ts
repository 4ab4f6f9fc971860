/**
 * Egress ports that packets of a flow may use: those on any shortest path, leg by leg in tunnels. All of them are captured, so
 * that the actual route is found whichever of several equal paths the hash selected.
 */
import type { CompiledScenario } from '../compile/compiled-scenario.js';
import type { NetworkPlan } from '../plan.js';

/** The ports to capture for a flow. */
export interface PossiblePorts {
  /** Egress ports of its data. */
  readonly forth: readonly number[];
  /** Egress ports of responses and Fast CNPs to its sender. */
  readonly back: readonly number[];
}

/** The ports to capture for a flow. @param flow index below the number of flows. */
export function possiblePorts({ plan, flowPaths }: CompiledScenario, flow: number): PossiblePorts {
  const { source, destination } = plan.flows.get(flow);
  // While links are down, shortest paths may differ from those of the plan.
  if (plan.linkEvents.length > 0) return { forth: allPorts(plan), back: allPorts(plan) };
  const isFixed = plan.balancing === undefined && plan.lossy === undefined;
  const forth = isFixed ? flowPaths.get(flow) : portsOfLegs(plan, source, legsTo(plan, flow, destination));
  const back = new Set(portsOfLegs(plan, destination, legsTo(plan, flow, source)));
  for (const port of forth) {
    const { node } = plan.ports[port];
    if (node !== source) addAll(back, portsOfLegs(plan, node, legsFrom(plan, flow, node, source)));
  }
  return { forth, back: [...back].sort((a, b) => a - b) };
}

function allPorts({ ports }: NetworkPlan): number[] {
  return ports.map((_, port) => port);
}

/** Nodes that a packet from the other end of the flow is routed to, in order. */
function legsTo({ wan, flows }: NetworkPlan, flow: number, end: number): readonly number[] {
  const { source, destination } = flows.get(flow);
  const other = end === source ? destination : source;
  if (wan === undefined || wan.domains[source] === wan.domains[destination]) return [end];
  const { edges, segments } = wan.services[wan.serviceOfFlow[flow]];
  const [from, to] = [wan.domains[other], wan.domains[end]];
  return [edges[from], ...(from === 0 ? segments : [...segments].reverse()), edges[to], end];
}

/**
 * Nodes that a Fast CNP from a switch is routed to, in order: from the WAN directly to the ingress edge; from the far data
 * centre like a response.
 */
function legsFrom(plan: NetworkPlan, flow: number, node: number, source: number): readonly number[] {
  const { wan } = plan;
  const domain = wan?.domains[node];
  if (wan === undefined || domain === wan.domains[source]) return [source];
  const { edges } = wan.services[wan.serviceOfFlow[flow]];
  return domain === 2 ? [edges[wan.domains[source]], source] : legsTo(plan, flow, source);
}

function portsOfLegs(plan: NetworkPlan, from: number, legs: readonly number[]): number[] {
  const ports = new Set<number>();
  let at = from;
  for (const next of legs) {
    addAll(ports, portsBetween(plan, at, next));
    at = next;
  }
  return [...ports];
}

/** The egress ports on all shortest paths between two nodes. */
function portsBetween(plan: NetworkPlan, from: number, to: number): number[] {
  const found: number[] = [];
  const seen = new Set([from]);
  for (const node of seen) {
    if (node === to) continue;
    for (const port of portsTowards(plan, node, to)) {
      found.push(port);
      seen.add(plan.ports[plan.ports[port].peerPort].node);
    }
  }
  return found;
}

/** A node's egress ports towards another. Hosts have no routes; they may use all their ports. */
function portsTowards({ nodes, routes, groups }: NetworkPlan, node: number, to: number): readonly number[] {
  const { kind, firstPort, portCount } = nodes[node];
  if (kind === 'host') return Array.from({ length: portCount }, (_, index) => firstPort + index);
  return groups[routes.group(node, to)] ?? [];
}

function addAll(set: Set<number>, ports: readonly number[]): void {
  for (const port of ports) set.add(port);
}
