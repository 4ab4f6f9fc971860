/**
 * Tunnels between provider edges (draft-hu-rtgwg-rocev2-fcn-00, sections 4 and 4.2): target of the outer header, ingress, segments and
 * egress, with ECN by RFC 6040.
 *
 *   target   in a tunnel, the destination of the outer header; in the sender's data centre, the provider edge of the flow's service;
 *            otherwise the host
 *   ingress  outer ECN = inner ECN in normal mode, Not-ECT in compatibility mode; length + outer headers
 *   egress   ECN by the table below, with a packet counter per cell; length - outer headers
 *   Fast CNP of a node inside the tunnel: an outer header to the ingress (its END.CON SID) instead of a tunnel; none at the ingress
 *
 * Equal-cost paths: chosen by the inner addresses and ports, which the outer flow label carries (RFC 6438).
 * Conservation: bytes of outer headers enter the network at the ingress and leave it at the egress.
 */
import { DROP_TUNNEL_ECN, PACKET_CNP, PACKET_FAST_CNP, SIM_NONE } from '../../../src/abi/sim-codes';
import { flowAt, indexOfNode, total } from '../network';
import { dropHazard, isData, packetAt } from '../packets';
import { domainOf, hostOf, isInTunnel, serviceOf, tunnelOf, wanNetwork, wanNode, wanNodeOf } from './memory';
import { TOTAL_BYTES_IN, TOTAL_BYTES_OUT } from '../../records/sim-run';
import { WAN_CNP_ECN, WAN_NODE_CELLS, WAN_SERVICE_SEGMENTS, WanNode, WanPart, WanService } from '../../records/wan';
import { SimFlow, SimNode, SimPacket, SimPort } from '../../records/network';
import { TUNNEL_INNER_ECN_SHIFT, TUNNEL_OUTER_ECN_SHIFT, TUNNEL_VISITED_SHIFT,
  TUNNEL_WRAPPED_SHIFT } from '../../records/packet-trace';

const WAN: u32 = 2;
const CE: u32 = 3;
const DROPPED: u32 = 4;
/** Resulting ECN field by inner code * 4 + outer code, 4 bits each; 4 = the packet is dropped (RFC 6040, section 4.2). */
const EGRESS_LOW: u32 = 0x31114000;
const EGRESS_HIGH: u32 = 0x33333212;

/** ECN field of the outermost header. */
@inline export function ecnOf(packet: SimPacket): u32 {
  if (packet.marked) return CE;
  if (isInTunnel(packet)) return tunnelOf(packet).outerEcn;
  if (isData(packet)) return wanNetwork().dataEcn;
  return packet.kind == PACKET_CNP || packet.kind == PACKET_FAST_CNP ? WAN_CNP_ECN : 0;
}

@inline function edgeOf(service: WanService, center: u32): u32 {
  return center == 0 ? service.edges0 : service.edges1;
}

/** The packet's next target node. */
export function targetOf(node: SimNode, packet: SimPacket, flow: SimFlow): u32 {
  const own = tunnelOf(packet);
  if (own.end != SIM_NONE) return own.end;
  const host = hostOf(packet, flow, isData(packet));
  const domain = wanNodeOf(node).domain;
  if (domain == WAN || domainOf(host) == domain) return host;
  return edgeOf(serviceOf(packet.flow), domain);
}

/** Like `targetOf`, for a flow's data at a node: after an ingress with segments the first segment, otherwise the egress. */
export function targetOfData(node: SimNode, flow: SimFlow, number: u32): u32 {
  const own = wanNodeOf(node);
  const from = domainOf(flow.source);
  const to = domainOf(flow.destination);
  if (from == to || own.domain == to || own.edgeOf == to + 1) return flow.destination;
  const service = serviceOf(number);
  if (own.domain == from) return edgeOf(service, from);
  return own.edgeOf ? targetAt(service, to, 0) : edgeOf(service, to);
}

/** The target after this many segments, on the way to a data centre. */
function targetAt(service: WanService, center: u32, visited: u32): u32 {
  if (visited == service.segmentCount) return edgeOf(service, center);
  const place = center == 1 ? visited : service.segmentCount - 1 - visited;
  return load<u32>(changetype<usize>(service) + WAN_SERVICE_SEGMENTS + (<usize>place << 2));
}

/** Initialises a packet from a host, without an outer header. */
@inline export function beginOutside(packet: SimPacket): void {
  tunnelOf(packet).end = SIM_NONE;
}

/** Processes the outer header of a packet at a node; false if the packet is dropped. */
export function passesTunnels(node: SimNode, inPort: SimPort, index: u32): bool {
  const packet = packetAt(index);
  const own = tunnelOf(packet);
  const here = indexOfNode(node);
  if (own.end == here && !arrivesAtEnd(here, packet, own)) {
    inPort.drops += 1;
    dropHazard(index, DROP_TUNNEL_ECN);
    return false;
  }
  if (own.end == SIM_NONE) enterAt(here, packet, own);
  return true;
}

/** Handles a packet at a segment or the egress; false if the egress drops it by its ECN table. */
function arrivesAtEnd(here: u32, packet: SimPacket, own: WanPart): bool {
  if (!own.wrapped) {
    const center = domainOf(hostOf(packet, flowAt(packet.flow), isData(packet)));
    const service = serviceOf(packet.flow);
    if (here != edgeOf(service, center)) {
      own.visited++;
      own.end = targetAt(service, center, own.visited);
      return true;
    }
  }
  return leaveTunnel(wanNode(here), packet, own);
}

function leaveTunnel(edge: WanNode, packet: SimPacket, own: WanPart): bool {
  const cell = (<u32>own.innerEcn << 2) + ecnOf(packet);
  const at = changetype<usize>(edge) + WAN_NODE_CELLS + (<usize>cell << 3);
  store<f64>(at, load<f64>(at) + 1);
  edge.decapsulated += 1;
  if (own.wrapped) edge.unwrapped += 1;
  const ecn = ((cell < 8 ? EGRESS_LOW : EGRESS_HIGH) >> ((cell & 7) << 2)) & 15;
  if (ecn == DROPPED) return false;
  packet.lenBytes -= own.overheadBytes;
  total(TOTAL_BYTES_OUT, own.overheadBytes);
  packet.marked = <u8>(ecn == CE);
  own.end = SIM_NONE;
  return true;
}

/** At a provider edge, puts packets for the other data centre into their service's tunnel. */
function enterAt(here: u32, packet: SimPacket, own: WanPart): void {
  const edge = wanNode(here);
  if (!edge.edgeOf) return;
  const center = domainOf(hostOf(packet, flowAt(packet.flow), isData(packet)));
  if (edge.edgeOf == center + 1) return;
  const service = serviceOf(packet.flow);
  own.innerEcn = <u8>ecnOf(packet);
  own.outerEcn = edge.compatibility ? 0 : own.innerEcn;
  own.visited = 0;
  own.wrapped = 0;
  putInto(edge, packet, own, targetAt(service, center, 0), service.overheadBytes);
  packet.marked = <u8>(own.outerEcn == CE);
}

function putInto(edge: WanNode, packet: SimPacket, own: WanPart, end: u32, overheadBytes: u32): void {
  own.end = end;
  own.overheadBytes = overheadBytes;
  packet.lenBytes += overheadBytes;
  total(TOTAL_BYTES_IN, overheadBytes);
  edge.encapsulated += 1;
}

/** Addresses a Fast CNP for a packet in a tunnel to the END.CON SID of the tunnel's ingress. */
export function wrapFastCnp(node: SimNode, packet: SimPacket, cause: SimPacket): void {
  const own = tunnelOf(packet);
  const here = indexOfNode(node);
  own.end = SIM_NONE;
  if (!isInTunnel(cause)) return enterAt(here, packet, own);
  const entry = edgeOf(serviceOf(cause.flow), domainOf(flowAt(cause.flow).source));
  if (entry == here) return;
  own.innerEcn = <u8>WAN_CNP_ECN;
  own.outerEcn = <u8>WAN_CNP_ECN;
  own.visited = 0;
  own.wrapped = 1;
  own.end = entry;
  own.overheadBytes = wanNetwork().wrapperBytes;
  packet.lenBytes += own.overheadBytes;
  total(TOTAL_BYTES_IN, own.overheadBytes);
  wanNode(here).wrapped += 1;
}

/** Bytes of a packet's outer headers. */
export function outerBytesOf(packet: SimPacket): u32 {
  return isInTunnel(packet) ? tunnelOf(packet).overheadBytes : 0;
}

/** The trace record of a packet's outer header. */
export function tunnelWord(packet: SimPacket): u32 {
  if (!isInTunnel(packet)) return 0;
  const own = tunnelOf(packet);
  return 1 | (<u32>own.innerEcn << TUNNEL_INNER_ECN_SHIFT) | (ecnOf(packet) << TUNNEL_OUTER_ECN_SHIFT) |
    (<u32>own.wrapped << TUNNEL_WRAPPED_SHIFT) | (<u32>own.visited << TUNNEL_VISITED_SHIFT);
}

/** Whether the outermost header of a packet can be marked here. */
export function isMarkable(packet: SimPacket): bool {
  if (!isData(packet)) return false;
  if (ecnOf(packet)) return true;
  return wanNetwork().marksAll != 0 && isInTunnel(packet);
}

@inline export function isFastCnp(packet: SimPacket): bool {
  return packet.kind == PACKET_FAST_CNP;
}
