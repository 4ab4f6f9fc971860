/**
 * Compiles the tunnels of a WAN: the service of each flow, sizes of outer headers, packet lengths, access lists for Fast CNPs,
 * ports with ARNs,
 * and the paths of flows.
 *
 *   outer headers   IPv6 40; with n segments a Segment Routing Header of 8 + 16 (n + 1) more (RFC 8754, section 2)
 *   END.CON         IPv6 40 before a Fast CNP
 *   ARN frame       Ethernet 18, IPv6 40 and UDP 8 around the message (no document names a carrier: docs/reference/sources.md)
 */
import type { FlowTuple } from '../../../switching/ecmp-hash.js';
import { PS_PER_US } from '../../../units.js';
import { Arn } from '../../../wire/arn/arn.js';
import { IP_ADDRESS_BYTES } from '../../../wire/ip/ip-address.js';
import { Ipv6 } from '../../../wire/ip/ipv6.js';
import { SegmentRouting } from '../../../wire/ip/segment-routing.js';
import { Udp } from '../../../wire/ip/udp.js';
import { peerOf, type Graph, type Routes } from '../../compile/routes.js';
import { type IdealRules, hashedPath, type Path } from '../../compile/paths.js';
import { ETHERNET_FRAME_BYTES } from '../../compile/packet-sizes.js';
import type { FlowPlans } from '../../flow-plans.js';
import type { NetworkPlan, PortPlan } from '../../plan.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { ValidScenario, ValidService, ValidWan } from '../../scenario/valid-scenario.js';
import { WAN_DOMAIN, type WanNodes } from '../../topology/network.js';
import type { WorkloadFlow } from '../../workload/workload-flows.js';
import type { WanFlowControlPlan, WanPlan, WanPortPlan, WanServicePlan } from './plan.js';

const DATA_ECN = { 'not-ect': 0, ect1: 1, ect0: 2 } as const;
/** The first dynamic port (RFC 6335): no document assigns one to ARNs. */
export const ARN_UDP_PORT = 49_152;

/** Bytes of a service's outer headers. */
export function tunnelBytes({ via }: Pick<ValidService, 'via'>): number {
  return Ipv6.lenBytes + (via.length === 0 ? 0 : SegmentRouting.lenBytes + (via.length + 1) * IP_ADDRESS_BYTES);
}

/** Index of the first service that matches a flow. */
export function serviceOf({ services }: ValidWan, source: number, destination: number, trafficClass: number): number {
  return services.findIndex(({ hosts, trafficClasses }) =>
    (hosts === null || hosts.includes(source) || hosts.includes(destination)) &&
    (trafficClasses === null || trafficClasses.includes(trafficClass))
  );
}

/** Whether packets that leave by a port are in a tunnel. */
export function isInWan(graph: Graph, { domains }: WanNodes, port: number): boolean {
  return domains[graph.nodeOf[port]] === WAN_DOMAIN && domains[peerOf(graph, port)] === WAN_DOMAIN;
}

/** The inputs of the plan, besides the scenario. */
export interface WanContext {
  readonly graph: Graph;
  readonly flows: FlowPlans;
  readonly ports: readonly PortPlan[];
  /** Payload of a host's full packets. */
  readonly mtuBytes: (host: number) => number;
}

/**
 * The plan; undefined for a network without provider edges.
 * @throws RoceError `invalid-scenario` for packets that are too long for the WAN's links because of their tunnel.
 */
export function wanPlan(valid: ValidScenario, context: WanContext): { readonly wan?: WanPlan } {
  const { wan, network } = valid;
  return wan === null || network.wan === undefined ? {} : { wan: planOf(wan, network.wan, context) };
}

function planOf(wan: ValidWan, roles: WanNodes, context: WanContext): WanPlan {
  const services = wan.services.map(({ name, edges, via }): WanServicePlan => ({
    name,
    edges,
    segments: via,
    overheadBytes: tunnelBytes({ via }),
  }));
  const { flows } = context;
  const serviceOfFlow = Array.from({ length: flows.length },
    (_, i) => serviceOf(wan, flows.source[i], flows.destination[i], flows.dataClass[i]));
  checkLengths(wan, roles, services, serviceOfFlow, context);
  return {
    domains: roles.domains,
    edges: roles.edges,
    compatibilityEdges: wan.compatibilityEdges,
    dataEcn: DATA_ECN[wan.tunnel.dataEcn],
    marksAll: wan.tunnel.routersMark === 'all',
    mtuBytes: wan.tunnel.mtuBytes,
    services,
    serviceOfFlow,
    borders: bordersOf(wan, roles),
    wrapperBytes: Ipv6.lenBytes,
    flowControl: flowControlPlan(wan, roles, context),
  };
}

function bordersOf({ accessLists }: ValidWan, { gateways, edges }: WanNodes): WanPlan['borders'] {
  const permitted = (node: number, direction: 'in' | 'out'): number[] =>
    [
      ...new Set(accessLists.filter((list) => list.node === node && list.direction === direction)
        .flatMap(({ permit }) => permit)),
    ].sort((a, b) => a - b);
  return [...gateways, ...edges.flat()].map((node) => ({
    node,
    permitIn: permitted(node, 'in'),
    permitOut: permitted(node, 'out'),
  }));
}

/** Rejects flows across the WAN whose longest IP packet does not fit its links. */
function checkLengths({ tunnel }: ValidWan, { domains }: WanNodes, services: readonly WanServicePlan[],
  serviceOfFlow: readonly number[], { graph, flows, mtuBytes }: WanContext): void {
  const { nodes } = graph.network;
  for (let flow = 0; flow < flows.length; flow++) {
    const source = flows.source[flow];
    if (domains[source] === domains[flows.destination[flow]]) continue;
    const { overheadBytes, edges, segments, name } = services[serviceOfFlow[flow]];
    const inner = flows.headerBytes[flow] + mtuBytes(source) - ETHERNET_FRAME_BYTES;
    if (inner + overheadBytes <= tunnel.mtuBytes) continue;
    const entry = edges[domains[source]];
    const next = segments.length > 0 ? nodes[segments[0]].name : 'the next router';
    rejectScenario({
      what: `the IP packet on the link from ${nodes[entry].name} to ${next}`,
      got: inner + overheadBytes,
      allowed: { max: tunnel.mtuBytes, unit: 'bytes' },
      where: 'wan.tunnel.mtuBytes',
      hint: `Flow ${flow} has packets of ${inner} bytes, and the tunnel of service ${name} adds ${overheadBytes}: ` +
        'a smaller hosts.mtuBytes or a larger wan.tunnel.mtuBytes lets them pass',
    });
  }
}

function flowControlPlan({ flowControl }: ValidWan, nodes: WanNodes, { graph, ports }: WanContext): WanFlowControlPlan {
  const { level, pauseTimeUs, refreshUs, resumes } = flowControl;
  return {
    level,
    pauseTimePs: Math.max(1, Math.round(pauseTimeUs)) * PS_PER_US,
    refreshPs: Math.max(1, Math.round(refreshUs * PS_PER_US)),
    resumes,
    arnBytes: arnFrameBytes(level),
    ports: flowControl.kind === 'pfc' ? [] : ports.flatMap((port, i) => wanPorts(flowControl, nodes, graph, port, i)),
  };
}

function wanPorts({ kind, gateways, xoffBytes, xonBytes }: ValidWan['flowControl'], nodes: WanNodes, graph: Graph,
  { kmaxBytes, kminBytes }: PortPlan, port: number): WanPortPlan[] {
  const ends = [graph.nodeOf[port], peerOf(graph, port)];
  const isAccess = ends.some((node) => nodes.gateways.includes(node)) &&
    ends.some((node) => nodes.domains[node] === WAN_DOMAIN);
  if (!isInWan(graph, nodes, port) && !(isAccess && kind === 'arn' && gateways === 'arn')) return [];
  const xoff = xoffBytes ?? Math.max(kmaxBytes, 1);
  return [{
    port,
    control: kind === 'arn' ? 'arn' : 'none',
    xoffBytes: xoff,
    xonBytes: xonBytes ?? Math.min(kminBytes, xoff - 1),
  }];
}

/** Length of the frame of an ARN that pauses. */
export function arnFrameBytes(level: WanFlowControlPlan['level']): number {
  const address = new Uint8Array(IP_ADDRESS_BYTES).fill(1);
  const flow = { source: address, destination: address, protocol: 0, sourcePort: 0, destinationPort: 0 };
  const message = { type: Arn.CONGESTION_DETECTED, compressionTime: 1 };
  const bytes = Arn.lenBytesOf(level === 'priority' ? { ...message, priorityId: 0 } : { ...message, flow });
  return bytes + Udp.lenBytes + Ipv6.lenBytes + ETHERNET_FRAME_BYTES;
}

/** Distance of each node from a given one, in links. */
export function wanHopCounts({ nodes, ports }: Pick<NetworkPlan, 'nodes' | 'ports'>, from: number): readonly number[] {
  const hops = nodes.map(() => -1);
  hops[from] = 0;
  const queue = [from];
  for (const node of queue) {
    const { firstPort, portCount } = nodes[node];
    for (let port = firstPort; port < firstPort + portCount; port++) {
      const peer = ports[ports[port].peerPort].node;
      if (hops[peer] >= 0) continue;
      hops[peer] = hops[node] + 1;
      queue.push(peer);
    }
  }
  return hops;
}

/** The paths of flows through WAN tunnels, leg by leg: to the provider edge, over the service's routers, to the far edge, to the host. */
export class TunnelPaths {
  /** Maximum bytes of outer headers; 0: no tunnels. */
  readonly mostBytes: number;
  readonly #valid: ValidScenario;
  readonly #graph: Graph;
  readonly #routes: Routes;

  constructor(valid: ValidScenario, graph: Graph, routes: Routes) {
    this.#valid = valid;
    this.#graph = graph;
    this.#routes = routes;
    this.mostBytes = Math.max(0, ...(valid.wan?.services.map(tunnelBytes) ?? []));
  }

  /** The path that the hash selects for a flow from one host to the other, in either direction; null: there is no path. */
  path(flow: WorkloadFlow, [from, to]: readonly [number, number], tuple: FlowTuple): Path | null {
    const path: number[] = [];
    let at = from;
    for (const next of this.#legs(flow, from, to)) {
      if (next === at) continue;
      const leg = hashedPath(this.#graph, this.#routes, at, next, tuple);
      if (leg === null) return null;
      path.push(...leg);
      at = next;
    }
    return path;
  }

  /** Bytes that tunnels add on links of the WAN: for a flow, or without one the maximum. */
  onLinks(flow?: WorkloadFlow): Pick<IdealRules, 'tunnelBytes'> {
    const { wan } = this.#graph.network;
    if (wan === undefined) return {};
    const service = flow === undefined ? undefined : this.#serviceOf(flow);
    const bytes = service === undefined ? this.mostBytes : tunnelBytes(service);
    return { tunnelBytes: (port) => (isInWan(this.#graph, wan, port) ? bytes : 0) };
  }

  /** The nodes that packets are routed to, in order; the last is the destination. */
  #legs(flow: WorkloadFlow, source: number, destination: number): readonly number[] {
    const { wan } = this.#graph.network;
    const service = this.#serviceOf(flow);
    if (wan === undefined || service === undefined) return [destination];
    const [from, to] = [wan.domains[source], wan.domains[destination]];
    if (from === to || from === WAN_DOMAIN || to === WAN_DOMAIN) return [destination];
    const segments = from === 0 ? service.via : [...service.via].reverse();
    return [service.edges[from], ...segments, service.edges[to], destination];
  }

  #serviceOf({ source, destination, trafficClass }: WorkloadFlow): ValidService | undefined {
    const { wan } = this.#valid;
    return wan === null ? undefined : wan.services[serviceOf(wan, source, destination, trafficClass)];
  }
}
