/**
 * Tunnel ingress: adds an outer IPv6 header to an IP packet (RFC 2473; with segments RFC 8754, RFC 8986 section 5.1).
 *
 *   outer IPv6, next header 43 or 41 or 4 | [SRH, next header 41 or 4] | inner packet, byte for byte
 *
 * ECN follows RFC 6040 (ecn.ts). DSCP follows RFC 2983: uniform = copied from the inner header, pipe = given.
 * The inner hop limit is not changed: the router decremented it when it chose the tunnel as next hop.
 * Path MTU and fragmentation are not handled here.
 */
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { IP_ADDRESS_BYTES } from '../wire/ip/ip-address.js';
import { Ipv6 } from '../wire/ip/ipv6.js';
import { SegmentRouting } from '../wire/ip/segment-routing.js';
import { requireBytes, requireChoice, requireLength, requireList, requireRecord,
  requireTarget } from '../wire/bytes.js';
import type { EcnMode } from './ecn.js';
import { encapsulateEcn } from './ecn.js';
import type { IpPacketSummary } from './ip-packet.js';
import { summariseIpPacket } from './ip-packet.js';

/** Next header values of an inner packet (IANA, protocol numbers). */
export const NEXT_HEADER_IPV4 = 4;
export const NEXT_HEADER_IPV6 = 41;

/** Where the outer DSCP comes from (RFC 2983): the inner header, or the tunnel's configuration. */
export type DscpPolicy = {
  /** Copy the DSCP of the inner header. */
  readonly model: 'uniform';
} | {
  /** Use a configured DSCP. */
  readonly model: 'pipe';
  /** That DSCP, 0 to 63. */
  readonly dscp: number;
};

/** Defaults for settings that the documents leave to the tunnel's configuration. */
export const tunnelDefaults = Object.freeze({
  /** IANA's recommended hop limit, also used for this library's CNPs. */
  hopLimit: 64,
  /** The WAN then treats RoCEv2 as the data centre does. */
  dscp: Object.freeze<DscpPolicy>({ model: 'uniform' }),
  /** REQUIRED by draft-hu-rtgwg-rocev2-fcn-00, section 4.2.1, and RFC 6040, section 4.3. */
  ecnMode: 'normal',
} as const);

/** The outer header; `tunnelDefaults` has the defaults. */
export interface TunnelHeader {
  /** 16 bytes: the tunnel ingress, or its END.CON SID. */
  readonly source: Uint8Array;
  /** 16 bytes: the tunnel egress, the last segment if there are others. */
  readonly destination: Uint8Array;
  /** SIDs to visit before `destination`, in travel order, 16 bytes each; without SIDs there is no SRH. */
  readonly segments?: readonly Uint8Array[];
  /** Hop limit of the outer header. Default 64. */
  readonly hopLimit?: number;
  /** 20 bits; default: that of the inner packet, so that the flow stays on one path; 0 over IPv4. */
  readonly flowLabel?: number;
  /** DSCP of the outer header. Default uniform. */
  readonly dscp?: DscpPolicy;
  /** ECN mode of the tunnel. Default `normal`. */
  readonly ecnMode?: EcnMode;
}

/**
 * Length of a packet after a tunnel's ingress, bytes.
 * @throws RoceError `invalid-packet` unless it is a complete IP packet.
 */
export function encapsulatedBytes(packet: Uint8Array, header: TunnelHeader): number {
  requireRecord('tunnel', header);
  const { segments = [] } = header;
  return Ipv6.lenBytes + segmentRoutingBytes(segments) + requireWhole(packet).lenBytes;
}

/**
 * Adds a tunnel's outer header to a packet.
 *
 * @param packet from its IP header on, IPv4 or IPv6; bytes after its end (link padding) are dropped.
 * @throws RoceError `invalid-packet` unless it is a complete IP packet; `invalid-argument` for an invalid outer field,
 * or more than 65535 bytes after the outer header.
 */
export function encapsulate(packet: Uint8Array, header: TunnelHeader): Uint8Array {
  const bytes = new Uint8Array(encapsulatedBytes(packet, header));
  encapsulateInto(bytes, 0, packet, header);
  return bytes;
}

/** Like `encapsulate`, into `target`. @returns the offset after the inner packet. */
export function encapsulateInto(target: Uint8Array, offset: number, packet: Uint8Array, header: TunnelHeader): number {
  requireRecord('header', header);
  const inner = requireWhole(packet);
  const { source, destination, segments = [], hopLimit = tunnelDefaults.hopLimit } = header;
  const { flowLabel = inner.flowLabel, ecnMode = tunnelDefaults.ecnMode } = header;
  requireLength('tunnel.destination', destination, IP_ADDRESS_BYTES);
  const innerProtocol = inner.version === 6 ? NEXT_HEADER_IPV6 : NEXT_HEADER_IPV4;
  const payloadLength = segmentRoutingBytes(segments) + inner.lenBytes;
  requireTarget('tunnel', target, offset, Ipv6.lenBytes + payloadLength);
  const at = Ipv6.writeInto(target, offset, {
    dscp: outerDscp(inner, header.dscp ?? tunnelDefaults.dscp),
    ecn: encapsulateEcn(inner.ecn, ecnMode),
    flowLabel,
    payloadLength,
    nextHeader: segments.length > 0 ? IpProtocol.ROUTING : innerProtocol,
    hopLimit,
    source,
    destination: segments[0] ?? destination,
  });
  const innerOffset = writeSegmentRouting(target, at, innerProtocol, segments, destination);
  target.set(packet.subarray(0, inner.lenBytes), innerOffset);
  return innerOffset + inner.lenBytes;
}

function requireWhole(packet: Uint8Array): IpPacketSummary {
  const summary = summariseIpPacket(packet, 0);
  requireBytes('ip packet', packet, 0, summary.lenBytes);
  return summary;
}

function outerDscp(inner: IpPacketSummary, policy: DscpPolicy): number {
  requireChoice('tunnel.dscp.model', policy.model, ['uniform', 'pipe']);
  return policy.model === 'uniform' ? inner.dscp : policy.dscp;
}

/** The list includes the SID of the egress. */
function segmentRoutingBytes(segments: readonly Uint8Array[]): number {
  requireList('tunnel.segments', segments);
  return segments.length === 0 ? 0 : SegmentRouting.lenBytes + (segments.length + 1) * IP_ADDRESS_BYTES;
}

function writeSegmentRouting(target: Uint8Array, offset: number, nextHeader: number, segments: readonly Uint8Array[],
  destination: Uint8Array): number {
  if (segments.length === 0) return offset;
  return SegmentRouting.writeInto(target, offset, { nextHeader, segments: [...segments, destination].reverse() });
}
