/**
 * Options of Hop-by-Hop and Destination Options headers, in place (RFC 8200, section 4.2).
 *
 *   option            0 type | 1 length of the data | 2 data; Pad1 is the single byte 0
 *   option type       action 2 bits (if unknown: 00 skip, 01 discard, 10 and 11 discard and tell), change 1 bit, 5 bits
 *
 * options-header.ts reads and writes a whole header as a list of values.
 */
import type { HeaderLayout } from '../header/layout.js';
import { invalidPacket, requireField, requireBytes } from '../bytes.js';
import type { ExtensionHeader } from './extension-header.js';
import { EXTENSION_CONTENTS, EXTENSION_UNIT_BYTES, beginExtensionHeader } from './extension-header.js';
import { PROTOCOL_UDP } from './udp.js';

export type { ExtensionChain, ExtensionHeader } from './extension-header.js';
export { EXTENSION_CONTENTS, EXTENSION_LENGTH, EXTENSION_NEXT_HEADER, EXTENSION_UNIT_BYTES,
  NEXT_HEADER_DESTINATION_OPTIONS, NEXT_HEADER_HOP_BY_HOP, NEXT_HEADER_ROUTING,
  walkExtensionHeaders } from './extension-header.js';
export { ROUTING_SEGMENTS_LEFT } from './routing-header.js';

/** Offsets from the first byte of an option. */
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
/** Action 01: an unknown option discards the packet. */
export const OPTION_ACTION_DISCARD = 0x40;
/** Action 10: an unknown option discards the packet, and the sender is told by ICMPv6. */
export const OPTION_ACTION_DISCARD_AND_TELL = 0x80;
/** Action 11: as 10, but the sender is told only if the destination was not multicast. */
export const OPTION_ACTION_DISCARD_AND_TELL_UNICAST = 0xc0;
/** Change bit: the data may change en route. */
export const OPTION_CHANGE_MASK = 0x20;

/** The drawing of docs/wire.md. */
export const OPTION_LAYOUT: HeaderLayout = {
  title: 'IPv6 option',
  source: 'RFC 8200, section 4.2',
  bytes: OPTION_DATA,
  fields: [
    { name: 'type', offset: OPTION_TYPE, bits: 8 },
    { name: 'dataBytes', offset: OPTION_LENGTH, bits: 8 },
  ],
  followedBy: 'data, dataBytes bytes; Pad1 is one byte 0 and nothing else; type: action 2 bits, change 1 bit, 5 bits',
};

/** One option, in place. */
export interface Ipv6Option {
  readonly type: number;
  /** Of its type byte. */
  readonly offset: number;
  readonly dataOffset: number;
  readonly dataBytes: number;
}

/**
 * Bytes of the option at `at`, be it padding or not.
 * @param endOffset where its header ends; above `at`.
 * @throws RoceError `invalid-packet` when the option reaches beyond its header.
 */
export function requireOption(bytes: Uint8Array, at: number, endOffset: number): number {
  if (bytes[at] === OPTION_PAD1) return 1;
  requireBytes('ipv6 option', bytes, at, OPTION_DATA, endOffset);
  const optionBytes = OPTION_DATA + bytes[at + OPTION_LENGTH];
  requireBytes('ipv6 option', bytes, at, optionBytes, endOffset);
  return optionBytes;
}

/**
 * The options of a Hop-by-Hop or Destination Options header, in order, without the padding.
 * @throws RoceError `invalid-packet` when an option reaches beyond its header.
 */
export function readOptions(bytes: Uint8Array, header: ExtensionHeader): Ipv6Option[] {
  const options: Ipv6Option[] = [];
  const endOffset = header.offset + header.bytes;
  let at = header.offset + EXTENSION_CONTENTS;
  while (at < endOffset) {
    const optionBytes = requireOption(bytes, at, endOffset);
    const type = bytes[at];
    if (type !== OPTION_PAD1 && type !== OPTION_PADN) {
      options.push({ type, offset: at, dataOffset: at + OPTION_DATA, dataBytes: optionBytes - OPTION_DATA });
    }
    at += optionBytes;
  }
  return options;
}

/** Bytes of an options header with one option at `optionOffset` from its start. */
function optionsHeaderBytes(optionOffset: number, dataBytes: number): number {
  const used = optionOffset + OPTION_DATA + dataBytes;
  return Math.ceil(used / EXTENSION_UNIT_BYTES) * EXTENSION_UNIT_BYTES;
}

/**
 * Builds an options header with one option, PadN before and behind it as needed. For more options, or an alignment in
 * place of an offset, see `layOutOptions`.
 *
 * @param nextHeader what follows, UDP for RoCEv2.
 * @param optionOffset of the option's type byte from the header's start: 2..259, so that one PadN fills the gap.
 * @throws RoceError `invalid-argument` for a type or a length that 8 bits can't hold, or another offset.
 */
export function buildOptionsHeader(type: number, data: Uint8Array, optionOffset: number,
  nextHeader = PROTOCOL_UDP): Uint8Array {
  requireField('ipv6 option.type', type, 0xff);
  requireField('ipv6 option.length', data.length, OPTION_DATA_MAX_BYTES);
  requireField('ipv6 option.offset', optionOffset - EXTENSION_CONTENTS, OPTION_DATA + OPTION_DATA_MAX_BYTES);
  const header = new Uint8Array(optionsHeaderBytes(optionOffset, data.length));
  beginExtensionHeader('ipv6 option', header, 0, nextHeader, header.length);
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
 * @throws RoceError `invalid-packet` unless its action bits are 00.
 */
export function refuseUnknownOption(option: Ipv6Option): void {
  if ((option.type & OPTION_ACTION_MASK) === OPTION_ACTION_SKIP) return;
  throw invalidPacket('ipv6 option', option.offset, 'is unknown and asks for a discard', option.type, 'action bits 00');
}
