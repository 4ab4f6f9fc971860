/**
 * IPv6 extension headers and their options (RFC 8200, sections 4.1 to 4.6).
 *
 *   extension header  0 next header | 1 length in units of 8 octets, the first 8 not counted | 2 contents
 *   option            0 type | 1 length of the data | 2 data; Pad1 is the single octet 0
 *   option type       action 2 bits (if unknown: 00 skip, 01 discard, 10 and 11 discard and tell), change 1 bit, 5 bits
 */
import { invalidPacket, requireField, requireOctets } from '../octets.js';
import { PROTOCOL_UDP } from './udp.js';

/** Next header values. */
export const NEXT_HEADER_HOP_BY_HOP = 0;
export const NEXT_HEADER_ROUTING = 43;
export const NEXT_HEADER_DESTINATION_OPTIONS = 60;

/** Offsets from the first octet of an extension header. */
export const EXTENSION_NEXT_HEADER = 0;
export const EXTENSION_LENGTH = 1;
export const EXTENSION_CONTENTS = 2;
/** Segments Left of a routing header (RFC 8200, section 4.4). */
export const ROUTING_SEGMENTS_LEFT = 3;
/** Extension headers come in multiples of this. */
export const EXTENSION_UNIT_BYTES = 8;

/** Offsets from the first octet of an option. */
export const OPTION_TYPE = 0;
export const OPTION_LENGTH = 1;
export const OPTION_DATA = 2;
export const OPTION_PAD1 = 0;
export const OPTION_PADN = 1;
/** Longest data of an option: its length has 8 bits. */
export const OPTION_DATA_MAX_BYTES = 255;

/** The two action bits of an option type. */
export const OPTION_ACTION_MASK = 0xc0;
/** Action 00: an unknown option is skipped. */
export const OPTION_ACTION_SKIP = 0x00;
/** Action 10: an unknown option discards the packet, and the sender is told by ICMPv6. */
export const OPTION_ACTION_DISCARD_AND_TELL = 0x80;
/** Change bit: the data may change en route. */
export const OPTION_CHANGE_MASK = 0x20;

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

/** One option, in place. */
export interface Ipv6Option {
  readonly type: number;
  /** Of its type octet. */
  readonly offset: number;
  readonly dataOffset: number;
  readonly dataBytes: number;
}

/**
 * Walks Hop-by-Hop, Routing and Destination Options headers up to anything else.
 *
 * @param nextHeader the IPv6 header's.
 * @param offset behind the IPv6 header.
 * @param endOffset where the datagram ends.
 * @throws RoceError `INVALID_PACKET` when a header reaches beyond the datagram.
 */
export function walkExtensionHeaders(
  bytes: Uint8Array,
  nextHeader: number,
  offset: number,
  endOffset: number,
): ExtensionChain {
  const headers: ExtensionHeader[] = [];
  let type = nextHeader;
  let at = offset;
  while (type === NEXT_HEADER_HOP_BY_HOP || type === NEXT_HEADER_ROUTING || type === NEXT_HEADER_DESTINATION_OPTIONS) {
    requireOctets('ipv6 extension header', bytes, at, EXTENSION_UNIT_BYTES, endOffset);
    const length = (bytes[at + EXTENSION_LENGTH] + 1) * EXTENSION_UNIT_BYTES;
    requireOctets('ipv6 extension header', bytes, at, length, endOffset);
    headers.push({ type, offset: at, bytes: length });
    type = bytes[at + EXTENSION_NEXT_HEADER];
    at += length;
  }
  return { headers, upperProtocol: type, upperOffset: at };
}

/**
 * The options of a Hop-by-Hop or Destination Options header, in order, without the padding.
 * @throws RoceError `INVALID_PACKET` when an option reaches beyond its header.
 */
export function readOptions(bytes: Uint8Array, header: ExtensionHeader): Ipv6Option[] {
  const options: Ipv6Option[] = [];
  const endOffset = header.offset + header.bytes;
  let at = header.offset + EXTENSION_CONTENTS;
  while (at < endOffset) {
    const type = bytes[at];
    if (type === OPTION_PAD1) {
      at += 1;
      continue;
    }
    requireOctets('ipv6 option', bytes, at, OPTION_DATA, endOffset);
    const dataBytes = bytes[at + OPTION_LENGTH];
    requireOctets('ipv6 option', bytes, at, OPTION_DATA + dataBytes, endOffset);
    if (type !== OPTION_PADN) options.push({ type, offset: at, dataOffset: at + OPTION_DATA, dataBytes });
    at += OPTION_DATA + dataBytes;
  }
  return options;
}

/** Octets of an options header with one option at `optionOffset` from its start. */
export function optionsHeaderBytes(optionOffset: number, dataBytes: number): number {
  const used = optionOffset + OPTION_DATA + dataBytes;
  return Math.ceil(used / EXTENSION_UNIT_BYTES) * EXTENSION_UNIT_BYTES;
}

/**
 * Builds an options header with one option, PadN before and behind it as needed.
 *
 * @param nextHeader what follows, UDP for RoCEv2.
 * @param optionOffset of the option's type octet from the header's start: 2, or 4 and more.
 * @throws RoceError `INVALID_ARGUMENT` for a type or a length that 8 bits can't hold.
 */
export function buildOptionsHeader(
  type: number,
  data: Uint8Array,
  optionOffset: number,
  nextHeader = PROTOCOL_UDP,
): Uint8Array {
  requireField('ipv6 option.type', type, 0xff);
  requireField('ipv6 option.length', data.length, OPTION_DATA_MAX_BYTES);
  const header = new Uint8Array(optionsHeaderBytes(optionOffset, data.length));
  header[EXTENSION_NEXT_HEADER] = nextHeader;
  header[EXTENSION_LENGTH] = header.length / EXTENSION_UNIT_BYTES - 1;
  padTo(header, EXTENSION_CONTENTS, optionOffset);
  header[optionOffset + OPTION_TYPE] = type;
  header[optionOffset + OPTION_LENGTH] = data.length;
  header.set(data, optionOffset + OPTION_DATA);
  padTo(header, optionOffset + OPTION_DATA + data.length, header.length);
  return header;
}

/** One Pad1 or one PadN, as RFC 8200, section 4.2 wants it. */
function padTo(header: Uint8Array, from: number, to: number): void {
  const length = to - from;
  if (length < 2) return; // nothing, or a Pad1, which is the 0 that stands there
  header[from] = OPTION_PADN;
  header[from + OPTION_LENGTH] = length - OPTION_DATA;
}

/**
 * What an unknown option's type asks for, if it asks for the packet to be discarded.
 * @throws RoceError `INVALID_PACKET` unless its action bits are 00.
 */
export function refuseUnknownOption(option: Ipv6Option): void {
  if ((option.type & OPTION_ACTION_MASK) === OPTION_ACTION_SKIP) return;
  throw invalidPacket('ipv6 option', option.offset, 'is unknown and asks for a discard', option.type, 'action bits 00');
}
