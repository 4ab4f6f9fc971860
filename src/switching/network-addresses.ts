/**
 * Addresses and numbers of a simulated network as captures show them. All follow from indices, so a packet shows its
 * origin:
 *
 *   MAC of a port     02:00 and the port's index (locally administered)
 *   IPv6 of a node    2001:db8:: and the node's index + 1 (documentation prefix, RFC 3849); a switch's is its loopback
 *   QPNs of a flow    sender's 0x10 + index, receiver's 0x800010 + index (numbers below 2 are for management)
 *   DSCP of a class   8 times the class, plus 2: class 3 is 26, as recommended for RoCE; CNPs have 48 (the IBTA leaves
 *                     both open)
 */
import { requireField } from '../wire/bytes.js';

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
