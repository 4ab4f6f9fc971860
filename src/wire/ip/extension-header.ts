/**
 * Common parts of all IPv6 extension headers but Fragment (RFC 8200, section 4; RFC 6564), and their chain.
 *
 *   0 next header | 1 length in units of 8 bytes, the first 8 not counted | 2 contents
 *
 * A header's type is in the header before it. The Fragment header has no length (fragment-header.ts): the walk ends
 * there, since what follows a fragment may be the middle of a packet.
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

/** Next header value of the Hop-by-Hop Options header (RFC 8200, section 4.3). */
export const NEXT_HEADER_HOP_BY_HOP = 0;
/** Next header value of the Routing header (RFC 8200, section 4.4). */
export const NEXT_HEADER_ROUTING = 43;
/** Next header value of the Fragment header (RFC 8200, section 4.5). */
export const NEXT_HEADER_FRAGMENT = 44;
/** Next header value "no next header" (RFC 8200, section 4.7). */
export const NEXT_HEADER_NONE = 59;
/** Next header value of the Destination Options header (RFC 8200, section 4.6). */
export const NEXT_HEADER_DESTINATION_OPTIONS = 60;

/** Extension headers come in multiples of this. */
export const EXTENSION_UNIT_BYTES = 8;
/** Longest extension header: its length has 8 bits. */
export const EXTENSION_MAX_BYTES = (255 + 1) * EXTENSION_UNIT_BYTES;

/** Of all extension headers with a length. */
export const EXTENSION_LENGTH_RULE = { unitBytes: EXTENSION_UNIT_BYTES, uncountedBytes: EXTENSION_UNIT_BYTES } as const;

export const EXTENSION = /* @__PURE__ */ defineHeader({
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
    /** 6 bytes, or 8 more, and so on. */
    contents: field.rest(),
  }),
});

/** The drawing of docs/wire.md. */
export const EXTENSION_HEADER_LAYOUT = EXTENSION.layout;
/** Next header and length; then the contents. */
export const EXTENSION_CONTENTS = EXTENSION.bytes;
const EXTENSION_NEXT_HEADER = EXTENSION.offsetOf('nextHeader');

/** One extension header, in place. */
export interface ExtensionHeader {
  /** Its protocol number, as in the "next header" field before it. */
  readonly type: number;
  /** Its first byte, from the start of the bytes that were read. */
  readonly offset: number;
  /** Its length, a multiple of 8. */
  readonly bytes: number;
}

/** The extension headers of a packet, and the upper layer. */
export interface ExtensionChain {
  /** In the order of the packet; empty if none precedes the upper layer. */
  readonly headers: readonly ExtensionHeader[];
  /** Next header value behind the last extension header. */
  readonly upperProtocol: number;
  /** Offset of the upper layer, behind the last extension header. */
  readonly upperOffset: number;
}

/** An extension header of any kind. */
export interface RawExtensionHeader extends HeaderValue<typeof EXTENSION> {}

/** Input of `buildExtensionHeader`; the length follows from the contents, and must agree with them if given. */
export interface RawExtensionFields extends HeaderFields<typeof EXTENSION> {}

/** Reads the common parts of extension headers, in place. */
export class ExtensionHeaderView extends EXTENSION.View {}

/**
 * Walks Hop-by-Hop, Routing and Destination Options headers up to anything else.
 *
 * @param nextHeader the IPv6 header's.
 * @param offset behind the IPv6 header.
 * @param endOffset where the datagram ends.
 * @throws RoceError `invalid-packet` when a header reaches beyond the datagram.
 */
export function walkExtensionHeaders(bytes: Uint8Array, nextHeader: number, offset: number,
  endOffset: number): ExtensionChain {
  const headers: ExtensionHeader[] = [];
  let type = nextHeader;
  let at = offset;
  while (type === NEXT_HEADER_HOP_BY_HOP || type === NEXT_HEADER_ROUTING || type === NEXT_HEADER_DESTINATION_OPTIONS) {
    const headerBytes = EXTENSION.requireAt(bytes, at, endOffset);
    headers.push({ type, offset: at, bytes: headerBytes });
    type = bytes[at + EXTENSION_NEXT_HEADER];
    at += headerBytes;
  }
  return { headers, upperProtocol: type, upperOffset: at };
}

/**
 * Reads an extension header without a look at its contents; the inverse of `buildExtensionHeader`.
 * @throws RoceError `invalid-packet` when the bytes end inside it.
 */
export const parseExtensionHeader: ParseHeader<RawExtensionHeader> = EXTENSION.parse;
/**
 * Writes an extension header.
 * @throws RoceError `invalid-argument` naming a field out of range, or when the whole is not a multiple of 8 bytes,
 * 8..2048.
 */
export const buildExtensionHeader: BuildHeader<RawExtensionFields> = EXTENSION.build;
/** As `buildExtensionHeader`, into `target`. @returns the offset behind the header. */
export const buildExtensionHeaderInto: BuildHeaderInto<RawExtensionFields> = EXTENSION.buildInto;
