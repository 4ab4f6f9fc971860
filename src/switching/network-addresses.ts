/**
 * Addresses and numbers of a simulated network as captures show them. All follow from indices, so a packet shows its
 * origin:
 *
 *   MAC of a port     02:00 and the port's index (locally administered)
 *   IPv6 of a node    2001:db8:: and the node's index + 1 (documentation prefix, RFC 3849); a switch's is its loopback
 *   QPNs of a flow    sender's 0x10 + index, receiver's 0x800010 + index (numbers below 2 are for management)
 *   DSCP of a class   8 times the class, plus 2: class 3 is 26, as recommended for RoCE; CNPs have 48 (the IBTA leaves
 *                     both open)
 *
 * Outer addresses of the tunnels of a simulated WAN:
 *
 *   END.CON SID of a provider edge   2001:db8:0:c:: and the node's index + 1: source of packets that enter the tunnel
 *   egress of service S              2001:db8:e:S:: and the index + 1 of the edge where the tunnel ends
 *   segment of a router              2001:db8:0:5:: and its index + 1
 */
import { requireField } from '../wire/bytes.js';
import { IP_ADDRESS_BYTES } from '../wire/ip/ip-address.js';

const IPV6_PREFIX = [0x20, 0x01, 0x0d, 0xb8];
const IPV6_BYTES = 16;
const FIRST_QPN = 0x10;
const RECEIVER_QPNS = 0x800000;
/** Flows with unique numbers. */
const MOST_FLOWS = RECEIVER_QPNS - FIRST_QPN;
const U32_MAX = 0xffffffff;

export function macOfPort(port: number): Uint8Array {
  requireField('port', port, U32_MAX);
  return Uint8Array.of(2, 0, port >>> 24, port >>> 16, port >>> 8, port);
}

export function addressOfNode(node: number): Uint8Array {
  requireField('node', node, U32_MAX - 1);
  const bytes = new Uint8Array(IPV6_BYTES);
  bytes.set(IPV6_PREFIX);
  new DataView(bytes.buffer).setUint32(IPV6_BYTES - 4, node + 1);
  return bytes;
}

/** QP that sends the flow's data and receives ACKs, NAKs and CNPs. */
export function senderQpnOf(flow: number): number {
  requireField('flow', flow, MOST_FLOWS - 1);
  return FIRST_QPN + flow;
}

/** QP that receives the flow's data. */
export function receiverQpnOf(flow: number): number {
  return RECEIVER_QPNS + senderQpnOf(flow);
}

export function dscpOfClass(trafficClass: number): number {
  requireField('trafficClass', trafficClass, 7);
  return 8 * trafficClass + 2;
}

/** Bytes 4 to 7 of the address. */
const END_CON_WORD = 0x0000_000c;
const SEGMENT_WORD = 0x0000_0005;
const EGRESS_WORD = 0x000e_0000;
const FLOW_LABEL_MASK = 0xfffff;

/** The nodes of a tunnel between two data centres. */
export interface TunnelNodes {
  /** Provider edges of `dc0` and `dc1`. */
  readonly edges: readonly [number, number];
  /** Routers on its path, from `dc0` to `dc1`. */
  readonly segments: readonly number[];
}

/** Outer addresses of packets on their way to a data centre. */
export interface TunnelAddresses {
  readonly source: Uint8Array;
  /** Segment IDs in travel order; the last is the egress. */
  readonly ids: readonly Uint8Array[];
}

export function endConSid(edge: number): Uint8Array {
  return sid(edge, END_CON_WORD);
}

export function egressSid(edge: number, service: number): Uint8Array {
  return sid(edge, EGRESS_WORD + service);
}

/** @param service its number. @param center destination data centre, 0 or 1. */
export function tunnelAddresses({ edges, segments }: TunnelNodes, service: number, center: number): TunnelAddresses {
  const inOrder = center === 1 ? segments : [...segments].reverse();
  return {
    source: endConSid(edges[1 - center]),
    ids: [...inOrder.map((router) => sid(router, SEGMENT_WORD)), egressSid(edges[center], service)],
  };
}

/** The outer flow label for a hash of the inner addresses and ports (RFC 6438). */
export function tunnelFlowLabel(hash: number): number {
  return hash & FLOW_LABEL_MASK;
}

/** The address of a node with another word after the prefix. */
function sid(node: number, word: number): Uint8Array {
  const bytes = addressOfNode(node);
  new DataView(bytes.buffer, bytes.byteOffset, IP_ADDRESS_BYTES).setUint32(4, word);
  return bytes;
}
