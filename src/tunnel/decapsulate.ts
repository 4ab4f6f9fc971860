/**
 * Exit of a tunnel: the outer IPv6 header and its extension headers go, the inner packet's ECN becomes what RFC 6040
 * says (ecn.ts); an IPv4 checksum is updated. The inner hop limit stays: whoever forwards the packet counts it down.
 *
 * The outer hop limit is not looked at: a packet that has arrived may have 0 there (RFC 8200, section 3).
 */
import type { ExtensionHeader } from '../wire/ip/extension-header.js';
import { NEXT_HEADER_ROUTING, walkExtensionHeaders } from '../wire/ip/extension-header.js';
import { Ipv6View } from '../wire/ip/ipv6.js';
import { ROUTING_SEGMENTS_LEFT } from '../wire/ip/routing-header.js';
import { invalidPacket, requireChoice, requireBytes, requireRecord } from '../wire/bytes.js';
import type { EcnTunnelCounters, EcnWarning } from './ecn.js';
import { decapsulateEcn, decapsulateEcnCounted } from './ecn.js';
import { NEXT_HEADER_IPV4, NEXT_HEADER_IPV6 } from './encapsulate.js';
import { setTrafficClass, summariseIpPacket } from './ip-packet.js';

const LAYER = 'tunnel';

/** Where the parts of a packet in a tunnel are. */
export interface LocatedTunnel {
  /** Outer IP header. */
  readonly outer: Ipv6View;
  /** Its extension headers. */
  readonly extensions: readonly ExtensionHeader[];
  /** Of the routing headers, the largest number of segments left; 0 without any. */
  readonly segmentsLeft: number;
  /** Next header behind the extension headers: 4 or 41. */
  readonly innerProtocol: number;
  /** Byte at which the inner packet begins. */
  readonly innerOffset: number;
  /** Where the outer header says that the packet ends; a cut capture may end before. */
  readonly endOffset: number;
}

/** How to take a packet out of its tunnel. */
export interface DecapsulateOptions {
  /** DSCP of the leaving packet (RFC 2983): default `pipe`, the inner one; `uniform`: the outer one. */
  readonly dscp?: 'pipe' | 'uniform';
  /** Counts the packet in the cell of its two ECN fields. */
  readonly counters?: EcnTunnelCounters;
}

/** What becomes of a packet at the exit. */
export type Decapsulated = {
  /** The inner packet goes on. */
  readonly action: 'forward';
  /** The inner packet, a copy. */
  readonly packet: Uint8Array;
  /** IP version of the inner packet. */
  readonly innerVersion: 4 | 6;
  /** ECN of the leaving packet. */
  readonly ecn: number;
  /** What RFC 6040 asks to log. */
  readonly warning: EcnWarning;
} | {
  /** The packet is dropped. */
  readonly action: 'drop';
  /** Outer CE over inner Not-ECT. */
  readonly reason: 'ecn';
  /** What RFC 6040 asks to log. */
  readonly warning: EcnWarning;
};

/**
 * Finds the inner packet of an IPv6 tunnel; it need not be there beyond the first byte.
 * @throws RoceError `invalid-packet`: no IPv6 packet, no IP packet inside, or one of another version than announced.
 */
export function locateTunnel(bytes: Uint8Array, offset = 0): LocatedTunnel {
  const outer = new Ipv6View(bytes, offset);
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
    throw invalidPacket(LAYER, innerOffset, 'carries another IP version', version, `${announced}`);
  }
  return { outer, extensions, segmentsLeft: segmentsLeftOf(bytes, extensions), innerProtocol, innerOffset, endOffset };
}

/**
 * Takes a packet out of its tunnel.
 *
 * @param bytes from the outer IPv6 header on; bytes behind the packet's end are left out.
 * @throws RoceError `invalid-packet`: not at the end of a tunnel (segments left), no whole IP packet inside.
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
 * @throws RoceError `invalid-packet` unless all of it is there, inside the outer packet.
 */
function sliceInner(bytes: Uint8Array, { outer, innerOffset, endOffset }: LocatedTunnel): Uint8Array {
  requireBytes(LAYER, bytes, outer.offset, endOffset - outer.offset);
  const { lenBytes } = summariseIpPacket(bytes, innerOffset);
  requireBytes('ip packet', bytes, innerOffset, lenBytes, endOffset);
  return bytes.slice(innerOffset, innerOffset + lenBytes);
}

/** @returns the largest number of segments left in these routing headers; 0 without any. */
export function segmentsLeftOf(bytes: Uint8Array, extensions: readonly ExtensionHeader[]): number {
  return extensions
    .filter(({ type }) => type === NEXT_HEADER_ROUTING)
    .reduce((most, { offset }) => Math.max(most, bytes[offset + ROUTING_SEGMENTS_LEFT]), 0);
}
