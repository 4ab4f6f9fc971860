/**
 * Tunnel egress: removes the outer IPv6 header and its extension headers, sets the inner packet's ECN by RFC 6040
 * (ecn.ts), and updates an IPv4 checksum. The inner hop limit is unchanged: the forwarding node decrements it.
 *
 * The outer hop limit is not checked: a packet that has arrived may have 0 there (RFC 8200, section 3).
 */
import type { ViewOf } from '../wire/header/define-header.js';
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { type LocatedExtensionHeader, walkExtensionHeaders,
  ROUTING_SEGMENTS_LEFT } from '../wire/ip/extension-header.js';
import { Ipv6 } from '../wire/ip/ipv6.js';
import { invalidPacket, requireChoice, requireBytes, requireRecord } from '../wire/bytes.js';
import type { EcnTunnelCounters, EcnWarning } from './ecn.js';
import { decapsulateEcn, decapsulateEcnCounted } from './ecn.js';
import { NEXT_HEADER_IPV4, NEXT_HEADER_IPV6 } from './encapsulate.js';
import { setTrafficClass, summariseIpPacket } from './ip-packet.js';

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
