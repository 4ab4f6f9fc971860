/**
 * A provider edge for real frames (draft-hu-rtgwg-rocev2-fcn-00, section 4.2), one edge of a compiled scenario:
 * a state machine without a clock and without queues.
 *
 *   inside   an IPv6 packet to a host of the other data centre: gets an outer IPv6 header (source: the edge's END.CON
 *            SID) and, for services with an explicit path, an SRH; ECN by RFC 6040; Fast CNPs by the access list
 *   outside  to an egress SID of a service: decapsulated, ECN by RFC 6040; to the END.CON SID: a Fast CNP of a WAN
 *            router, decapsulated. Both are forwarded to the host inside, Fast CNPs by the access list
 *
 * The inner hop limit is decremented once in transit. `src/tunnel` defines how packets are treated.
 * Known deviations: no rate, buffer or marks (a `live switch` next to it has them); PFC and ARN end here without
 * effect; a packet that is too long is dropped without an ICMPv6 message.
 */
import { RoceError } from '../../errors.js';
import type { WanPlan } from '../../sim/features/wan/plan.js';
import type { NetworkPlan } from '../../sim/plan.js';
import { ecmpHash, tupleOf } from '../../switching/ecmp-hash.js';
import { addressOfNode, macOfPort, receiverQpnOf, senderQpnOf, endConSid, egressSid, tunnelAddresses,
  tunnelFlowLabel } from '../../switching/network-addresses.js';
import { configureEndCon, createEcnTunnelCounters, createEndConCounters, decapsulate, encapsulate, endConReceive,
  type EcnTunnelCounters, type EndCon, type EndConCounters, type TunnelHeader } from '../../tunnel/index.js';
import { sameBytes } from '../../wire/bytes.js';
import { IP_ADDRESS_BYTES } from '../../wire/ip/ip-address.js';
import { Ipv6 } from '../../wire/ip/ipv6.js';
import { EtherType, Ethernet } from '../../wire/link/ethernet.js';
import { FastCnp } from '../../wire/roce/fast-cnp.js';
import { FrameFacts, KIND_CNP, KIND_MAC_CONTROL } from '../switch/frame-facts.js';

/** Why a frame was dropped. */
export const EDGE_DROP_REASONS = [
  'cut',
  'notIp',
  'noRoute',
  'malformed',
  'hopLimit',
  'tooBig',
  'accessList',
  'ecn',
  'endCon',
] as const;

/**
 * `cut`: captured in part; `notIp`: not IPv6; `noRoute`: no such host on the other side, nor an address of the edge;
 * `malformed`: an incomplete IPv6 packet, or a tunnel without a packet; `hopLimit`: expired; `tooBig`: too long for the
 * WAN with its outer header; `accessList`: a Fast CNP of a switch that is on no list; `ecn`: outer CE over inner
 * Not-ECT (RFC 6040); `endCon`: rejected by END.CON for another reason.
 */
export type EdgeDropReason = (typeof EDGE_DROP_REASONS)[number];

/** A side of an edge: `inside` faces its data centre, `outside` the WAN. */
export type EdgeSide = 'inside' | 'outside';

/** Counters of a side, in frames: in = forwarded + ended + dropped. */
interface EdgeSideCounters {
  /** Frames received. */
  in: number;
  /** Received frames that the other side forwarded. */
  forwarded: number;
  /**
   * Received frames for the edge itself: pause frames and ARNs, which have no effect because the edge has no queues.
   */
  ended: number;
  /** Received frames that were dropped, by reason. */
  readonly dropped: Record<EdgeDropReason, number>;
}

/** A flow whose packets pass through the edge in either direction. */
interface EdgeFlow {
  /** Index of the flow's service in `EdgeSettings.tunnels`. */
  readonly service: number;
  /** Flow label of the flow's outer headers. */
  readonly flowLabel: number;
}

/** Link addresses of frames sent on a side. */
interface EdgeLink {
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
}

/** Settings of one edge. */
interface EdgeSettings {
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

/** Receives frames that leave on a side, and owns them. */
type EdgeSink = (side: EdgeSide, frame: Uint8Array) => void;

const WAN = 2;
const HOP_LIMIT = Ipv6.offsetOf('hopLimit');
const SOURCE = Ipv6.offsetOf('source');
const DESTINATION = Ipv6.offsetOf('destination');

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

export class EmulatedEdge {
  readonly settings: EdgeSettings;
  readonly counters: Readonly<Record<EdgeSide, EdgeSideCounters>> = { inside: emptySide(), outside: emptySide() };
  /** Packets that were decapsulated here, by inner and outer ECN field. */
  readonly ecn: EcnTunnelCounters = createEcnTunnelCounters();
  readonly endConCounters: EndConCounters = createEndConCounters();
  readonly #endCon: EndCon;
  readonly #facts = new FrameFacts();
  readonly #sink: EdgeSink;

  constructor(settings: EdgeSettings, sink: EdgeSink) {
    this.settings = settings;
    this.#sink = sink;
    this.#endCon = configureEndCon({ localSids: [settings.endConSid], accept: 'fast-cnp' });
  }

  /**
   * Receives a frame. @param frame without its FCS. @param originalLenBytes larger than its length if it was truncated.
   */
  receive(side: EdgeSide, frame: Uint8Array, originalLenBytes = frame.length): void {
    const counters = this.counters[side];
    counters.in += 1;
    this.#facts.read(frame, 0, frame.length);
    const { kind, ipVersion, ipOffset } = this.#facts;
    if (kind === KIND_MAC_CONTROL) counters.ended += 1;
    else if (originalLenBytes > frame.length || frame.length < Ethernet.lenBytes) counters.dropped.cut += 1;
    else if (ipVersion !== 6) counters.dropped.notIp += 1;
    else {
      const packet = wholePacket(frame.subarray(ipOffset));
      const left = packet === undefined ? 'malformed' : this.#pass(side, packet);
      if (left === 'forwarded') counters.forwarded += 1;
      else if (left === 'ended') counters.ended += 1;
      else counters.dropped[left] += 1;
    }
  }

  #pass(side: EdgeSide, packet: Uint8Array): EdgeDropReason | 'forwarded' | 'ended' {
    try {
      return side === 'inside' ? this.#enter(packet) : this.#leave(packet);
    } catch (error) {
      if (error instanceof RoceError && error.code === 'invalid-packet') return 'malformed';
      throw error;
    }
  }

  /** Encapsulates a packet from the data centre. */
  #enter(packet: Uint8Array): EdgeDropReason | 'forwarded' | 'ended' {
    const { settings } = this;
    const { sides, tunnels, mtuBytes } = settings;
    const host = nodeOfAddress(packet, DESTINATION, sides.length);
    if (host < 0 || sides[host] !== 'far') return this.#isOwn(packet) ? 'ended' : 'noRoute';
    const flow = settings.flows.get(this.#facts.destQpn);
    const tunnel = tunnels[flow?.service ?? tunnels.length - 1] ?? tunnels.find((one) => one !== undefined);
    if (tunnel === undefined) return 'noRoute';
    if (this.#isBarred(packet, settings.permitIn)) return 'accessList';
    if (packet[HOP_LIMIT] <= 1) return 'hopLimit';
    const outer = encapsulate(packet, flow === undefined ? tunnel : { ...tunnel, flowLabel: flow.flowLabel });
    if (outer.length > mtuBytes) return 'tooBig';
    outer[outer.length - packet.length + HOP_LIMIT] -= 1;
    this.#sink('outside', framed(settings.outside, outer));
    return 'forwarded';
  }

  /** Decapsulates a packet for the data centre. */
  #leave(packet: Uint8Array): EdgeDropReason | 'forwarded' | 'ended' {
    const { settings } = this;
    const destination = packet.subarray(DESTINATION, DESTINATION + IP_ADDRESS_BYTES);
    if (sameBytes(destination, settings.endConSid)) {
      const result = endConReceive(this.#endCon, this.endConCounters, packet);
      if (result.action === 'forward') return this.#deliver(result.packet);
      return result.action === 'drop' && result.reason === 'ecn' ? 'ecn' : 'endCon';
    }
    if (!settings.egressSids.some((sid) => sameBytes(destination, sid)))
      return this.#isOwn(packet) ?
        'ended' :
        'noRoute';
    const result = decapsulate(packet, { counters: this.ecn });
    if (result.action === 'drop') return 'ecn';
    const inner = result.packet;
    if (result.innerVersion !== 6 || inner.length < Ipv6.lenBytes) return 'malformed';
    if (inner[HOP_LIMIT] <= 1) return 'hopLimit';
    inner[HOP_LIMIT] -= 1;
    return this.#deliver(inner);
  }

  #deliver(packet: Uint8Array): EdgeDropReason | 'forwarded' {
    const { settings } = this;
    const host = nodeOfAddress(packet, DESTINATION, settings.sides.length);
    if (host < 0 || settings.sides[host] !== 'near') return 'noRoute';
    const frame = framed(settings.inside, packet);
    this.#facts.read(frame, 0, frame.length);
    if (this.#isBarred(packet, settings.permitOut)) return 'accessList';
    this.#sink('inside', frame);
    return 'forwarded';
  }

  /** Whether this is a Fast CNP that no access list admits, judged by its headers. */
  #isBarred(packet: Uint8Array, permitted: ReadonlySet<number>): boolean {
    if (this.#facts.kind !== KIND_CNP || !isFastCnp(packet)) return false;
    return !permitted.has(nodeOfAddress(packet, SOURCE, this.settings.sides.length));
  }

  /** Whether the packet is for the edge's own address, such as an ARN. */
  #isOwn(packet: Uint8Array): boolean {
    return sameBytes(packet.subarray(DESTINATION, DESTINATION + IP_ADDRESS_BYTES), this.settings.address);
  }
}

/** Removes padding after the packet; undefined if the packet is incomplete. */
function wholePacket(bytes: Uint8Array): Uint8Array | undefined {
  const lenBytes = Ipv6.lenBytes + new Ipv6.View(bytes, 0).payloadLength;
  return lenBytes <= bytes.length ? bytes.subarray(0, lenBytes) : undefined;
}

function isFastCnp(packet: Uint8Array): boolean {
  try {
    FastCnp.read(packet);
    return true;
  } catch (error) {
    if (error instanceof RoceError && error.code === 'invalid-packet') return false;
    throw error;
  }
}

function framed({ source, destination }: EdgeLink, packet: Uint8Array): Uint8Array {
  const frame = new Uint8Array(Ethernet.lenBytes + packet.length);
  frame.set(destination);
  frame.set(source, destination.length);
  frame[Ethernet.lenBytes - 2] = EtherType.IPV6 >> 8;
  frame[Ethernet.lenBytes - 1] = EtherType.IPV6 & 0xff;
  frame.set(packet, Ethernet.lenBytes);
  return frame;
}

function emptySide(): EdgeSideCounters {
  const dropped = Object.fromEntries(EDGE_DROP_REASONS.map((reason) => [reason, 0])) as Record<EdgeDropReason, number>;
  return { in: 0, forwarded: 0, ended: 0, dropped };
}

/** Sum over all reasons. */
export function droppedBy({ dropped }: EdgeSideCounters): number {
  return EDGE_DROP_REASONS.reduce((sum, reason) => sum + dropped[reason], 0);
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
function nodeOfAddress(bytes: Uint8Array, offset: number, nodes: number): number {
  const node =
    ((bytes[offset + 12] << 24) | (bytes[offset + 13] << 16) | (bytes[offset + 14] << 8) | bytes[offset + 15]) - 1;
  if (node < 0 || node >= nodes) return -1;
  return addressOfNode(node).every((byte, at) => byte === bytes[offset + at]) ? node : -1;
}
