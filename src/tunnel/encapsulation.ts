/**
 * Tunnel ingress and egress: adds or removes an outer IPv6 header around an IP packet (RFC 2473; with segments RFC 8754,
 * RFC 8986 section 5.1).
 *
 *   outer IPv6, next header 43 or 41 or 4 | [SRH, next header 41 or 4] | inner packet, byte for byte
 *
 * ECN follows RFC 6040 in both directions (ecn.ts). DSCP follows RFC 2983: uniform = copied from the inner header, pipe
 * = given. The inner hop limit is not changed: the router decremented it when it chose the tunnel as next hop, and the
 * forwarding node decrements it after the egress, which updates an IPv4 checksum. The outer hop limit is not checked: a
 * packet that has arrived may have 0 there (RFC 8200, section 3). Path MTU and fragmentation are not handled here.
 */
import { requireBytes, requireChoice, requireLength, requireList, requireRecord, requireTarget, invalidPacket, readU16,
  requireField, writeU16 } from '../wire/bytes.js';
import type { ViewOf } from '../wire/header/define-header.js';
import { type LocatedExtensionHeader, walkExtensionHeaders, ROUTING_SEGMENTS_LEFT, Ipv6 } from '../wire/ip/ipv6.js';
import { IP_ADDRESS_BYTES } from '../wire/ip/ip-address.js';
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { Ipv4 } from '../wire/ip/ipv4.js';
import { SegmentRouting } from '../wire/ip/segment-routing.js';
import { encapsulateEcn, decapsulateEcn, decapsulateEcnCounted, type EcnMode, type EcnTunnelCounters,
  type EcnWarning } from './ecn.js';

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

const IPV4_CHECKSUM = Ipv4.offsetOf('checksum');
const IPV4_TRAFFIC_CLASS = Ipv4.offsetOf('dscp');

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

const LAYER = 'tunnel';

/** Where the parts of a tunneled packet are. */
export interface LocatedTunnel {
  /** Outer IP header. */
  readonly outer: ViewOf<typeof Ipv6>;
  /** Extension headers of the outer header. */
  readonly extensions: readonly LocatedExtensionHeader[];
  /** Largest Segments Left of the routing headers; 0 without any. */
  readonly segmentsLeft: number;
  /** Next header after the extension headers: 4 or 41. */
  readonly innerProtocol: number;
  /** First byte of the inner packet. */
  readonly innerOffset: number;
  /** End of the packet according to the outer header; a truncated capture may end earlier. */
  readonly endOffset: number;
}

/** Options for removing the outer header. */
export interface DecapsulateOptions {
  /** DSCP after decapsulation (RFC 2983): `pipe` (default) keeps the inner one; `uniform` takes the outer one. */
  readonly dscp?: 'pipe' | 'uniform';
  /** Counters in which the packet is counted, by its inner and outer ECN. */
  readonly counters?: EcnTunnelCounters;
}

/** The result for a packet at the egress. */
export type Decapsulated = {
  /** The inner packet is forwarded. */
  readonly action: 'forward';
  /** The inner packet, a copy. */
  readonly packet: Uint8Array;
  /** IP version of the inner packet. */
  readonly innerVersion: 4 | 6;
  /** ECN after decapsulation. */
  readonly ecn: number;
  /** The warning that RFC 6040 asks to log. */
  readonly warning: EcnWarning;
} | {
  /** The packet is dropped. */
  readonly action: 'drop';
  /** Outer CE over inner Not-ECT. */
  readonly reason: 'ecn';
  /** The warning that RFC 6040 asks to log. */
  readonly warning: EcnWarning;
};

/**
 * Finds the inner packet of an IPv6 tunnel; it may be truncated after its first byte.
 * @throws RoceError `invalid-packet`: not IPv6, no IP packet inside, or an IP version other than the next header
 * announces.
 */
export function locateTunnel(bytes: Uint8Array, offset = 0): LocatedTunnel {
  const outer = new Ipv6.View(bytes, offset);
  const endOffset = outer.payloadOffset + outer.payloadLength;
  const chain = walkExtensionHeaders(bytes, outer.nextHeader, outer.payloadOffset, endOffset);
  const { headers: extensions, upperProtocol: innerProtocol, upperOffset: innerOffset } = chain;
  if (innerProtocol !== NEXT_HEADER_IPV4 && innerProtocol !== NEXT_HEADER_IPV6) {
    throw invalidPacket(LAYER, offset, 'carries no IP packet', innerProtocol, 'next header 4 or 41');
  }
  requireBytes(LAYER, bytes, innerOffset, 1, endOffset);
  const version = bytes[innerOffset] >> 4;
  const announced = innerProtocol === NEXT_HEADER_IPV4 ? 4 : 6;
  if (version !== announced) {
    throw invalidPacket(LAYER, innerOffset, 'carries an unexpected IP version', version, `${announced}`);
  }
  return { outer, extensions, segmentsLeft: segmentsLeftOf(bytes, extensions), innerProtocol, innerOffset, endOffset };
}

/**
 * Removes the outer header of a tunneled packet.
 *
 * @param bytes from the outer IPv6 header on; bytes after the end of the packet are dropped.
 * @throws RoceError `invalid-packet`: segments are left, so the tunnel does not end here, or there is no complete IP
 * packet inside.
 */
export function decapsulate(bytes: Uint8Array, options: DecapsulateOptions = {}): Decapsulated {
  requireRecord('options', options);
  const { dscp = 'pipe', counters } = options;
  requireChoice('dscp', dscp, ['pipe', 'uniform']);
  const tunnel = locateTunnel(bytes);
  const { outer, segmentsLeft } = tunnel;
  if (segmentsLeft !== 0) throw invalidPacket(LAYER, 0, 'has segments left', segmentsLeft, '0');
  const packet = sliceInner(bytes, tunnel);
  const inner = summariseIpPacket(packet, 0);
  const exit = counters ? decapsulateEcnCounted(counters, inner.ecn, outer.ecn) : decapsulateEcn(inner.ecn, outer.ecn);
  const { ecn, warning } = exit;
  if (ecn === 'drop') return { action: 'drop', reason: 'ecn', warning };
  setTrafficClass(packet, 0, dscp === 'uniform' ? outer.dscp : inner.dscp, ecn);
  return { action: 'forward', packet, innerVersion: inner.version, ecn, warning };
}

/**
 * @returns a copy of the inner packet.
 * @throws RoceError `invalid-packet` unless it is complete and within the outer packet.
 */
function sliceInner(bytes: Uint8Array, { outer, innerOffset, endOffset }: LocatedTunnel): Uint8Array {
  requireBytes(LAYER, bytes, outer.offset, endOffset - outer.offset);
  const { lenBytes } = summariseIpPacket(bytes, innerOffset);
  requireBytes('ip packet', bytes, innerOffset, lenBytes, endOffset);
  return bytes.slice(innerOffset, innerOffset + lenBytes);
}

/** @returns the largest Segments Left of these routing headers; 0 without any. */
export function segmentsLeftOf(bytes: Uint8Array, extensions: readonly LocatedExtensionHeader[]): number {
  return extensions
    .filter(({ type }) => type === IpProtocol.ROUTING)
    .reduce((most, { offset }) => Math.max(most, bytes[offset + ROUTING_SEGMENTS_LEFT]), 0);
}

/** What a tunnel needs from a packet. */
interface IpPacketSummary {
  readonly version: 4 | 6;
  /** Length of the packet according to its header. */
  readonly lenBytes: number;
  readonly dscp: number;
  readonly ecn: number;
  /** Flow label; 0 for IPv4. */
  readonly flowLabel: number;
}

/**
 * Reads what a tunnel needs from the packet at `offset`.
 * @throws RoceError `invalid-packet`: neither IPv4 nor IPv6, truncated within its header, or a length below the
 * header's.
 */
export function summariseIpPacket(bytes: Uint8Array, offset: number): IpPacketSummary {
  requireBytes('ip header', bytes, offset, 1);
  const version = bytes[offset] >> 4;
  if (version === 4) return summariseIpv4(new Ipv4.View(bytes, offset));
  if (version === 6) return summariseIpv6(new Ipv6.View(bytes, offset));
  throw invalidPacket('ip header', offset, 'has another version', version, '4 or 6');
}

/**
 * Rewrites DSCP and ECN of the packet at `offset`. An IPv4 checksum is updated, not recomputed (RFC 1624, equation 3):
 * an incorrect one remains incorrect.
 * @throws RoceError `invalid-packet` like `summariseIpPacket`; `invalid-argument` for values out of range.
 */
export function setTrafficClass(bytes: Uint8Array, offset: number, dscp: number, ecn: number): void {
  requireField('ip.dscp', dscp, 63);
  requireField('ip.ecn', ecn, 3);
  const trafficClass = (dscp << 2) | ecn;
  if (summariseIpPacket(bytes, offset).version === 6) {
    bytes[offset] = 0x60 | (trafficClass >> 4);
    bytes[offset + 1] = ((trafficClass & 15) << 4) | (bytes[offset + 1] & 15);
    return;
  }
  // Version and traffic class share a 16-bit word of the checksum; only the traffic class changes.
  const delta = trafficClass - bytes[offset + IPV4_TRAFFIC_CLASS];
  if (delta === 0) return;
  bytes[offset + IPV4_TRAFFIC_CLASS] = trafficClass;
  const sum = (~readU16(bytes, offset + IPV4_CHECKSUM) & 0xffff) + (delta < 0 ? delta + 0xffff : delta);
  writeU16(bytes, offset + IPV4_CHECKSUM, ~((sum & 0xffff) + (sum >>> 16)));
}

/** @returns whether it is an address of a single node: 16 bytes, neither multicast (ff00::/8) nor unspecified. */
export function isUnicastAddress(value: unknown): value is Uint8Array {
  if (!(value instanceof Uint8Array) || value.length !== IP_ADDRESS_BYTES) return false;
  return value[0] !== 0xff && value.some((byte) => byte !== 0);
}

function summariseIpv4(view: ViewOf<typeof Ipv4>): IpPacketSummary {
  const { dscp, ecn, totalLength, headerBytes, offset } = view;
  if (totalLength < headerBytes) {
    throw invalidPacket('ipv4 header', offset, 'has a short total length', totalLength, `at least ${headerBytes}`);
  }
  return { version: 4, lenBytes: totalLength, dscp, ecn, flowLabel: 0 };
}

function summariseIpv6({ dscp, ecn, payloadLength, flowLabel }: ViewOf<typeof Ipv6>): IpPacketSummary {
  return { version: 6, lenBytes: Ipv6.lenBytes + payloadLength, dscp, ecn, flowLabel };
}
