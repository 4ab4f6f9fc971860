/**
 * What all IPv6 extension headers but Fragment have in common (RFC 8200, section 4; RFC 6564), and the chain of them.
 *
 *   0 next header | 1 length in units of 8 bytes, the first 8 not counted | 2 contents
 *
 * Which header it is stands in the one before it. The Fragment header has no length (fragment-header.ts): the walk ends
 * there, since what follows a fragment may be the middle of a packet.
 */
import { RoceError } from '../../errors.js';
import { requireBytes, requireField, requireTarget } from '../bytes.js';
import { type HeaderValue, defineHeader } from '../header/define-header.js';

/** Next header values. */
export const NEXT_HEADER_HOP_BY_HOP = 0;
export const NEXT_HEADER_ROUTING = 43;
export const NEXT_HEADER_FRAGMENT = 44;
export const NEXT_HEADER_NONE = 59;
export const NEXT_HEADER_DESTINATION_OPTIONS = 60;

/** Extension headers come in multiples of this. */
export const EXTENSION_UNIT_BYTES = 8;
/** Longest extension header: its length has 8 bits. */
export const EXTENSION_MAX_BYTES = (255 + 1) * EXTENSION_UNIT_BYTES;

const LAYER = 'ipv6 extension header';

export const EXTENSION = /* @__PURE__ */ defineHeader({
  title: 'IPv6 extension header',
  source: 'RFC 8200, sections 4.3, 4.4 and 4.6; RFC 6564, section 4',
  layer: LAYER,
  where: 'extensionHeader',
  followedBy: 'contents, 6 bytes and 8 more for each unit of headerExtLen',
  fields: (field) => ({
    nextHeader: field.bits(8),
    /** Bytes of the header / 8 - 1. */
    headerExtLen: field.bits(8),
  }),
});

/** The drawing of docs/wire.md. */
export const EXTENSION_HEADER_LAYOUT = EXTENSION.layout;
/** Next header and length; then the contents. */
export const EXTENSION_CONTENTS = EXTENSION.bytes;
export const EXTENSION_NEXT_HEADER = EXTENSION.offsetOf('nextHeader');
export const EXTENSION_LENGTH = EXTENSION.offsetOf('headerExtLen');

/** One extension header, in place. */
export interface ExtensionHeader {
  /** Its own number: what the header before it calls "next header". */
  readonly type: number;
  readonly offset: number;
  readonly bytes: number;
}

/** The extension headers of a packet, and what follows them. */
export interface ExtensionChain {
  readonly headers: readonly ExtensionHeader[];
  /** Next header value behind the last extension header. */
  readonly upperProtocol: number;
  readonly upperOffset: number;
}

/** An extension header of any kind. */
export interface RawExtensionHeader extends HeaderValue<typeof EXTENSION> {
  /** 6 bytes, or 8 more, and so on. */
  readonly contents: Uint8Array;
}

/** What `buildExtensionHeader` needs; the length follows from the contents, and must agree with them if given. */
export type RawExtensionFields = Omit<RawExtensionHeader, 'headerExtLen'> & Partial<RawExtensionHeader>;

/** Reads what all extension headers have, in place. */
export class ExtensionHeaderView extends EXTENSION.View {
  /** Bytes of this header. */
  get headerBytes(): number {
    return (this.headerExtLen + 1) * EXTENSION_UNIT_BYTES;
  }
  get contents(): Uint8Array {
    return this.bytes.subarray(this.offset + EXTENSION_CONTENTS, this.payloadOffset);
  }
  /** Where the next header starts. */
  override get payloadOffset(): number {
    return this.offset + this.headerBytes;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    requireExtensionHeader(LAYER, bytes, offset);
  }
}

/**
 * The length check of all extension headers with a length.
 * @returns the header's bytes.
 * @throws RoceError `invalid-packet` when they end inside it.
 */
export function requireExtensionHeader(layer: string, bytes: Uint8Array, offset: number,
  endOffset = bytes.length): number {
  requireBytes(layer, bytes, offset, EXTENSION_UNIT_BYTES, endOffset);
  const headerBytes = (bytes[offset + EXTENSION_LENGTH] + 1) * EXTENSION_UNIT_BYTES;
  requireBytes(layer, bytes, offset, headerBytes, endOffset);
  return headerBytes;
}

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
    const headerBytes = requireExtensionHeader(LAYER, bytes, at, endOffset);
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
export function parseExtensionHeader(bytes: Uint8Array, offset = 0): RawExtensionHeader {
  const view = new ExtensionHeaderView(bytes, offset);
  return { ...EXTENSION.parse(bytes, offset), contents: view.contents.slice() };
}

/**
 * Writes an extension header.
 * @throws RoceError `invalid-argument` naming a field out of range, or when the whole is not a multiple of 8 bytes,
 * 8..2048.
 */
export function buildExtensionHeader(header: RawExtensionFields): Uint8Array {
  const bytes = new Uint8Array(EXTENSION_CONTENTS + header.contents.length);
  buildExtensionHeaderInto(bytes, 0, header);
  return bytes;
}

/** As `buildExtensionHeader`, into `target`. @returns the offset behind the header. */
export function buildExtensionHeaderInto(target: Uint8Array, offset: number, header: RawExtensionFields): number {
  const { nextHeader, contents } = header;
  const headerBytes = EXTENSION_CONTENTS + contents.length;
  const headerExtLen = extensionLength('extensionHeader', headerBytes, header.headerExtLen);
  const contentsOffset = EXTENSION.buildPartInto(target, offset, { nextHeader, headerExtLen }, headerBytes);
  target.set(contents, contentsOffset);
  return offset + headerBytes;
}

/**
 * Writes next header and length.
 * @throws RoceError `invalid-argument` naming the next header, or when the whole header is of a wrong length or has no
 * room.
 */
export function beginExtensionHeader(where: string, target: Uint8Array, offset: number, nextHeader: number,
  headerBytes: number): void {
  const headerExtLen = extensionLength(where, headerBytes);
  requireField(`${where}.nextHeader`, nextHeader, 0xff);
  requireTarget(where, target, offset, headerBytes);
  EXTENSION.buildInto(target, offset, { nextHeader, headerExtLen });
}

/**
 * The length field of a header about to be written.
 * @param stated if the caller has stated it.
 * @throws RoceError `invalid-argument` unless the bytes are a multiple of 8, 8..2048, and what was stated.
 */
export function extensionLength(where: string, headerBytes: number, stated?: number): number {
  const isWhole = headerBytes % EXTENSION_UNIT_BYTES === 0;
  if (!isWhole || headerBytes < EXTENSION_UNIT_BYTES || headerBytes > EXTENSION_MAX_BYTES) {
    throw new RoceError('invalid-argument', {
      what: 'length of the extension header',
      got: headerBytes,
      allowed: { min: EXTENSION_UNIT_BYTES, max: EXTENSION_MAX_BYTES, multipleOf: EXTENSION_UNIT_BYTES, unit: 'bytes' },
      where,
    });
  }
  const headerExtLen = headerBytes / EXTENSION_UNIT_BYTES - 1;
  requireImplied(`${where}.headerExtLen`, stated, headerExtLen);
  return headerExtLen;
}

/**
 * Checks a field that follows from others, if the caller has stated it all the same.
 * @throws RoceError `invalid-argument` when it is another number.
 */
export function requireImplied(where: string, stated: number | undefined, implied: number): void {
  if (stated === undefined || stated === implied) return;
  const allowed = `${implied}, which follows from the contents, or nothing`;
  throw new RoceError('invalid-argument', 'field disagrees with the contents', { got: stated, allowed, where });
}
