/**
 * Common parts of all IPv6 extension headers but Fragment (RFC 8200, section 4; RFC 6564), and their chain.
 *
 *   0 next header | 1 length in units of 8 bytes, the first 8 not counted | 2 contents
 *
 * A header's type is in the preceding header. The Fragment header has no length (fragment-header.ts): the walk ends
 * there, since the middle of a packet may follow.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { IpProtocol } from './ip-protocol.js';
import { extendHeader } from '../header/extend-header.js';

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
