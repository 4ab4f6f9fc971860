/**
 * Outer addresses of the tunnels of a simulated WAN, as captures show them. All follow from indices:
 *
 *   END.CON SID of a provider edge   2001:db8:0:c:: and the node's index + 1: source of packets that enter the tunnel there
 *   egress of service S              2001:db8:e:S:: and the index + 1 of the edge where the tunnel ends
 *   segment of a router              2001:db8:0:5:: and its index + 1
 */
import { IP_ADDRESS_BYTES } from '../wire/ip/ip-address.js';
import { addressOfNode } from './network-addresses.js';

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
