/** The settings of an emulated provider edge: one edge of a compiled scenario. */
import { RoceError } from '../../errors.js';
import type { NetworkPlan } from '../../sim/plan.js';
import type { WanPlan } from '../../sim/features/wan/plan.js';
import { ecmpHash, tupleOf } from '../../switching/ecmp-hash.js';
import { addressOfNode, macOfPort, receiverQpnOf, senderQpnOf, endConSid, egressSid, tunnelAddresses,
  tunnelFlowLabel } from '../../switching/network-addresses.js';
import type { TunnelHeader } from '../../tunnel/index.js';

/** A flow whose packets pass through the edge in either direction. */
export interface EdgeFlow {
  /** Index of the flow's service in `EdgeSettings.tunnels`. */
  readonly service: number;
  /** Flow label of the flow's outer headers. */
  readonly flowLabel: number;
}

/** Link addresses of frames sent on a side. */
export interface EdgeLink {
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
}

/** Settings of one edge. */
export interface EdgeSettings {
  readonly name: string;
  /**
   * By node: whether it is a host of the data centre behind the edge (`near`), of the other one (`far`), or neither.
   */
  readonly sides: readonly ('near' | 'far' | 'none')[];
  /** Outer headers towards the far edge, by service; undefined if the service uses another edge here. */
  readonly tunnels: readonly (TunnelHeader | undefined)[];
  /** Flows by QPN, for the QPNs at both ends. */
  readonly flows: ReadonlyMap<number, EdgeFlow>;
  /** The edge's own address, and its END.CON SID. */
  readonly address: Uint8Array;
  readonly endConSid: Uint8Array;
  /** Egress SIDs of the services at this edge. */
  readonly egressSids: readonly Uint8Array[];
  /** Switches, by node, whose Fast CNPs may pass into the WAN, and out of it. */
  readonly permitIn: ReadonlySet<number>;
  readonly permitOut: ReadonlySet<number>;
  /** Maximum length of an IP packet sent to the WAN. */
  readonly mtuBytes: number;
  readonly inside: EdgeLink;
  readonly outside: EdgeLink;
}

const WAN = 2;

/**
 * The settings of one provider edge of a plan.
 *
 * @throws RoceError `unsupported` for a network without tunnels; `invalid-argument` for an unknown edge, or a missing
 * name if there are several.
 */
export function edgeSettings(plan: NetworkPlan, wanted: string | undefined): EdgeSettings {
  const { wan, nodes } = plan;
  if (wan === undefined)
    throw new RoceError('unsupported', { what: 'an edge of a network without tunnels', where: 'wan' });
  const node = edgeNamed(plan, wan, wanted);
  const near = wan.edges[0].includes(node) ? 0 : 1;
  const border = wan.borders.find((one) => one.node === node);
  const ecnMode = wan.compatibilityEdges.includes(node) ? 'compatibility' : 'normal';
  return {
    name: nodes[node].name,
    sides: nodes.map(({ kind }, one) => sideOf(kind === 'host' ? wan.domains[one] : WAN, near)),
    tunnels: wan.services.map((service, number) => {
      if (service.edges[near] !== node) return undefined;
      const { source, ids } = tunnelAddresses(service, number, 1 - near);
      return { source, destination: ids[ids.length - 1], segments: ids.slice(0, -1), ecnMode };
    }),
    flows: edgeFlows(plan, wan),
    address: addressOfNode(node),
    endConSid: endConSid(node),
    egressSids: wan.services.flatMap(({ edges }, number) => (edges[near] === node ? [egressSid(node, number)] : [])),
    permitIn: new Set(border?.permitIn),
    permitOut: new Set(border?.permitOut),
    mtuBytes: wan.mtuBytes,
    inside: linkTowards(plan, node, (domain) => domain !== WAN, wan),
    outside: linkTowards(plan, node, (domain) => domain === WAN, wan),
  };
}

function edgeNamed({ nodes }: NetworkPlan, { edges }: WanPlan, wanted: string | undefined): number {
  const all = edges.flat();
  const found = all.find((node) => nodes[node].name === wanted);
  if (found !== undefined) return found;
  const allowed = all.map((node) => nodes[node].name);
  throw new RoceError('invalid-argument', { what: 'the name of the edge', got: wanted, allowed, where: 'node' });
}

function sideOf(domain: number, near: number): 'near' | 'far' | 'none' {
  if (domain === WAN) return 'none';
  return domain === near ? 'near' : 'far';
}

function edgeFlows({ flows, nodes }: NetworkPlan, { serviceOfFlow }: WanPlan): ReadonlyMap<number, EdgeFlow> {
  const byQpn = new Map<number, EdgeFlow>();
  for (const [index, { source, destination, udpSourcePort, udpDestinationPort }] of [...flows].entries()) {
    const tuple = tupleOf(nodes[source].address, nodes[destination].address, udpSourcePort, udpDestinationPort);
    const flow = { service: serviceOfFlow[index], flowLabel: tunnelFlowLabel(ecmpHash(tuple, 0)) };
    byQpn.set(senderQpnOf(index), flow);
    byQpn.set(receiverQpnOf(index), flow);
  }
  return byQpn;
}

/** The first of the edge's links in that direction: a live edge has one link on each side. */
function linkTowards({ nodes, ports }: NetworkPlan, node: number, leads: (domain: number) => boolean,
  { domains }: WanPlan): EdgeLink {
  const { firstPort, portCount } = nodes[node];
  for (let port = firstPort; port < firstPort + portCount; port += 1) {
    const { peerPort } = ports[port];
    if (leads(domains[ports[peerPort].node])) return { source: macOfPort(port), destination: macOfPort(peerPort) };
  }
  throw new RangeError(`edge ${nodes[node].name} has no link in this direction`);
}

/** The node with this address, as assigned by `addressOfNode`; -1 if it is not below `nodes`. */
export function nodeOfAddress(bytes: Uint8Array, offset: number, nodes: number): number {
  const node =
    ((bytes[offset + 12] << 24) | (bytes[offset + 13] << 16) | (bytes[offset + 14] << 8) | bytes[offset + 15]) - 1;
  if (node < 0 || node >= nodes) return -1;
  return addressOfNode(node).every((byte, at) => byte === bytes[offset + at]) ? node : -1;
}
