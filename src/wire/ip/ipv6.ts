/**
 * IPv6 header (RFC 8200, section 3), as RoCEv2 uses it (IBTA Annex A17, section A17.3.1.2), and the extension headers
 * after it (RFC 8200, section 4; RFC 6564).
 *
 *   IPv6               0 version 4, traffic class 8 (DSCP 6, ECN 2), flow label 20 | 4 payload length
 *                      6 next header | 7 hop limit | 8 source (16) | 24 destination (16)
 *   extension header   0 next header | 1 length in units of 8 bytes, the first 8 not counted | 2 contents
 *   Routing            2 routing type | 3 segments left | 4 data
 *   Fragment           0 next header | 1 reserved | 2 fragment offset 13, reserved 2, more fragments 1
 *                      4 identification (4)
 *
 * An extension header's type is in the preceding header. The walk along them ends at a Fragment header: only the
 * fragment at offset 0 is followed by the packet's headers. While segments are left in a Routing header, the
 * destination in the IPv6 header is the next waypoint, not the receiver. Nodes that do not know its type ignore it if
 * no segments are left, else they discard the packet. Type 4 has its own codec (segment-routing.ts).
 */
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';
import { IP_ADDRESS_BYTES } from './ip-address.js';
import { IpProtocol } from './ip-protocol.js';

const IPV6 = /* @__PURE__ */ defineHeader({
  title: 'IPv6',
  source: 'RFC 8200, section 3; IBTA Annex A17, section A17.3.1.2',
  layer: 'ipv6 header',
  where: 'ipv6',
  fields: (field) => ({
    /** DSCP, 0..63. */
    dscp: field.constant('version', 4, 6).bits(6),
    /** 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE (RFC 3168, section 5). */
    ecn: field.bits(2),
    /** Flow label, 20 bits; 0 = none (RFC 6437, section 2). */
    flowLabel: field.bits(20),
    /** Number of bytes after this header, including extension headers. */
    payloadLength: field.bits(16),
    /** Protocol number of the next header or payload; 17 in RoCEv2 without extension headers (CA17-16). */
    nextHeader: field.bits(8),
    /** How many more routers may forward the packet, 0..255. */
    hopLimit: field.bits(8),
    /** Source address, 16 bytes. */
    source: field.bytesOf(IP_ADDRESS_BYTES),
    /** Destination address, 16 bytes. */
    destination: field.bytesOf(IP_ADDRESS_BYTES),
  }),
});

/** An IPv6 header, as a value. */
export interface Ipv6 extends ValueOf<typeof IPV6> {}

/** Reads an IPv6 header in place. */
export class Ipv6View extends IPV6.View {
  /** Traffic class, 0..255: DSCP in the high six bits, ECN in the low two. */
  get trafficClass(): number {
    return (this.dscp << 2) | this.ecn;
  }
}

/** An IPv6 header: 40 bytes. */
export const Ipv6 = /* @__PURE__ */ extendHeader(IPV6, {
  /** Reads an IPv6 header in place. */
  View: Ipv6View,
});

const EXTENSION_UNIT_BYTES = 8;
/** Length rule of all extension headers with a length. */
export const EXTENSION_LENGTH_RULE = { unitBytes: EXTENSION_UNIT_BYTES, uncountedBytes: EXTENSION_UNIT_BYTES } as const;

const EXTENSION = /* @__PURE__ */ defineHeader({
  title: 'IPv6 extension header',
  source: 'RFC 8200, sections 4.3, 4.4 and 4.6; RFC 6564, section 4',
  layer: 'ipv6 extension header',
  where: 'extensionHeader',
  followedBy: 'contents, 6 bytes and 8 more for each unit of headerExtLen',
  fields: (field) => ({
    /** Protocol number of the next header or payload (IANA, "Protocol Numbers"). */
    nextHeader: field.bits(8),
    /** Bytes of the header / 8 - 1. */
    headerExtLen: field.length(8, EXTENSION_LENGTH_RULE),
    /** 6, 14, 22, … bytes. */
    contents: field.rest(),
  }),
});

const EXTENSION_NEXT_HEADER = EXTENSION.offsetOf('nextHeader');

/** One extension header, in place. */
export interface LocatedExtensionHeader {
  /** Protocol number of the header, from the preceding "next header" field. */
  readonly type: number;
  /** First byte of the header, from the start of the bytes that were read. */
  readonly offset: number;
  /** Length of the header, a multiple of 8 bytes. */
  readonly bytes: number;
}

/** An extension header of any kind. When written, the length is computed from the contents; if given, it must agree. */
export const ExtensionHeader = /* @__PURE__ */ extendHeader(EXTENSION, {
  /** The length of extension headers is a multiple of this. */
  UNIT_BYTES: EXTENSION_UNIT_BYTES,
  /** Maximum length of an extension header, whose length field has 8 bits. */
  MAX_BYTES: (255 + 1) * EXTENSION_UNIT_BYTES,
});

/** The extension headers of a packet, and the upper-layer protocol. */
export interface ExtensionChain {
  /** In packet order; empty if there are none. */
  readonly headers: readonly LocatedExtensionHeader[];
  /** Next header value of the last extension header. */
  readonly upperProtocol: number;
  /** Offset of the upper layer, after the last extension header. */
  readonly upperOffset: number;
}

/** An extension header of any kind. */
export interface ExtensionHeader extends ValueOf<typeof EXTENSION> {}

/**
 * Walks Hop-by-Hop, Routing and Destination Options headers, and stops at any other header.
 *
 * @param nextHeader the IPv6 header's.
 * @param offset first byte after the IPv6 header.
 * @param endOffset end of the datagram.
 * @throws RoceError `invalid-packet` if a header extends beyond the datagram.
 */
export function walkExtensionHeaders(bytes: Uint8Array, nextHeader: number, offset: number,
  endOffset: number): ExtensionChain {
  const headers: LocatedExtensionHeader[] = [];
  let type = nextHeader;
  let at = offset;
  while (type === IpProtocol.HOP_BY_HOP || type === IpProtocol.ROUTING || type === IpProtocol.DESTINATION_OPTIONS) {
    const headerBytes = EXTENSION.lenBytesAt(bytes, at, endOffset);
    headers.push({ type, offset: at, bytes: headerBytes });
    type = bytes[at + EXTENSION_NEXT_HEADER];
    at += headerBytes;
  }
  return { headers, upperProtocol: type, upperOffset: at };
}

const FRAGMENT = /* @__PURE__ */ defineHeader({
  title: 'IPv6 Fragment header',
  source: 'RFC 8200, section 4.5',
  layer: 'fragment header',
  where: 'fragment',
  fields: (field) => ({
    /** Type of the first header in the fragmented part; the same in all fragments. */
    nextHeader: field.bits(8),
    /** 0 on sending, ignored on receipt. */
    reserved8: field.bits(8, 0),
    /** In units of 8 bytes, 13 bits. */
    fragmentOffset: field.bits(13),
    /** The two bits before M: 0 on sending, ignored on receipt. */
    reserved2: field.bits(2, 0),
    /** M: this is not the last fragment. */
    moreFragments: field.flag(),
    /** 32 bits; identifies the packet among those with the same addresses. */
    identification: field.bits(32),
  }),
});

/** An IPv6 Fragment header, as a value. */
export interface FragmentHeader extends ValueOf<typeof FRAGMENT> {}

/** An IPv6 Fragment header, always 8 bytes. Reserved bits are written as 0 by default. */
export const FragmentHeader = /* @__PURE__ */ extendHeader(FRAGMENT, {
  /** Unit of the fragment offset. */
  UNIT_BYTES: 8,
});

/** A Routing header of any type. When written, the length is computed from the data; if given, it must agree. */
export const RoutingHeader = /* @__PURE__ */ defineHeader({
  title: 'IPv6 Routing header',
  source: 'RFC 8200, section 4.4',
  layer: 'routing header',
  where: 'routingHeader',
  followedBy: 'data as the routing type says, 4 bytes and 8 more for each unit of headerExtLen',
  fields: (field) => ({
    /** Protocol number of the next header or payload (IANA, "Protocol Numbers"). */
    nextHeader: field.bits(8),
    /** Bytes of the header / 8 - 1. */
    headerExtLen: field.length(8, EXTENSION_LENGTH_RULE),
    /** 4 = segment routing. */
    routingType: field.bits(8),
    /** Number of waypoints still to be visited. */
    segmentsLeft: field.bits(8),
    /** 4, 12, 20, … bytes. */
    data: field.rest(),
  }),
});

/** Offset of "segments left" from the header's first byte: 3. */
export const ROUTING_SEGMENTS_LEFT = RoutingHeader.offsetOf('segmentsLeft');

/** A Routing header of any type. */
export interface RoutingHeader extends ValueOf<typeof RoutingHeader> {}
