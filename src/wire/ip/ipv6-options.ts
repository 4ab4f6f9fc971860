/**
 * Options of Hop-by-Hop and Destination Options headers, in place (RFC 8200, section 4.2).
 *
 *   option            0 type | 1 length of the data | 2 data; Pad1 is the single byte 0
 *   option type       action 2 bits (if unknown: 00 skip, 01 discard, 10 and 11 discard and report), change 1 bit, 5 bits
 *
 * options-header.ts reads and writes whole headers as lists of values.
 */
import { extendHeader } from '../header/extend-header.js';
import { IpProtocol } from './ip-protocol.js';
import { invalidArgument, invalidPacket, requireField } from '../bytes.js';
import { defineHeader } from '../header/define-header.js';
import { ExtensionHeader, type LocatedExtensionHeader } from './extension-header.js';

export { walkExtensionHeaders } from './extension-header.js';

const OPTION = /* @__PURE__ */ defineHeader({
  title: 'IPv6 option',
  source: 'RFC 8200, section 4.2',
  layer: 'ipv6 option',
  where: 'optionsHeader.options',
  followedBy: 'data, dataBytes bytes; Pad1 is one byte 0 and nothing else; type: action 2 bits, change 1 bit, 5 bits',
  fields: (field) => ({
    /** All eight bits: action 2, change 1, number 5. */
    type: field.bits(8),
    /** Length of the data, 0..255 bytes. */
    dataBytes: field.length(8, { uncountedBytes: 2 }),
    /** 0..255 bytes, not interpreted. */
    data: field.rest(),
  }),
});

/** One option of a Hop-by-Hop or Destination Options header. */
export const Ipv6Option = /* @__PURE__ */ extendHeader(OPTION, {
  /** Option type of Pad1, a single byte without a length (RFC 8200, section 4.2). */
  PAD1: 0,
  /** Option type of PadN, two or more bytes of padding (RFC 8200, section 4.2). */
  PADN: 1,
  /** Maximum data length of an option, whose length field has 8 bits. */
  DATA_MAX_BYTES: 255,
  /** The two action bits of an option type. */
  ACTION_MASK: 0xc0,
  /** Action 00: nodes that do not know the option skip it. */
  ACTION_SKIP: 0x00,
  /** Action 01: nodes that do not know the option discard the packet. */
  ACTION_DISCARD: 0x40,
  /** Action 10: nodes that do not know the option discard the packet and report it by ICMPv6. */
  ACTION_DISCARD_AND_TELL: 0x80,
  /** Action 11: like 10, but the packet is reported only if its destination is not multicast. */
  ACTION_DISCARD_AND_TELL_UNICAST: 0xc0,
  /** Change bit: the data may change en route. */
  CHANGE_MASK: 0x20,
  /**
   * Builds an options header with one option, padded with PadN before and after it as needed. For several options, or
   * an alignment instead of an offset, see `OptionsHeader.layOut`.
   *
   * @param nextHeader protocol that follows, UDP for RoCEv2.
   * @param optionOffset of the option's type byte from the header's start: 2..259, so that one PadN fills the gap.
   * @throws RoceError `invalid-argument` for a type or a length that exceeds 8 bits, or an offset out of range.
   */
  writeHeader(type: number, data: Uint8Array, optionOffset: number, nextHeader: number = IpProtocol.UDP): Uint8Array {
    if (typeof optionOffset !== 'number') throw invalidArgument('optionOffset', optionOffset, { multipleOf: 1 });
    requireField('ipv6 option.offset', optionOffset - ExtensionHeader.lenBytes,
      OPTION.lenBytes + Ipv6Option.DATA_MAX_BYTES);
    const option = OPTION.write({ type, data });
    const at = optionOffset - ExtensionHeader.lenBytes;
    const headerBytes = Math.ceil((optionOffset + option.length) / ExtensionHeader.UNIT_BYTES) *
      ExtensionHeader.UNIT_BYTES;
    const contents = new Uint8Array(headerBytes - ExtensionHeader.lenBytes);
    padTo(contents, 0, at);
    contents.set(option, at);
    padTo(contents, at + option.length, contents.length);
    return ExtensionHeader.write({ nextHeader, contents });
  },
});

/** Offset of the length from the option's first byte: 1. */
export const OPTION_LENGTH = OPTION.offsetOf('dataBytes');
/** One option, in place. */
export interface LocatedIpv6Option {
  /** All eight bits: action 2, change 1, number 5. */
  readonly type: number;
  /** Offset of its type byte. */
  readonly offset: number;
  /** First byte of its data. */
  readonly dataOffset: number;
  /** Length of its data, 0..255 bytes. */
  readonly dataBytes: number;
}

/**
 * Visits all options between two offsets, including padding.
 * @throws RoceError `invalid-packet` if an option extends beyond the end.
 */
export function walkOptions(bytes: Uint8Array, offset: number, endOffset: number,
  visit: (type: number, at: number, optionBytes: number) => void): void {
  for (let at = offset; at < endOffset;) {
    const type = bytes[at];
    const optionBytes = type === Ipv6Option.PAD1 ? 1 : OPTION.lenBytesAt(bytes, at, endOffset);
    visit(type, at, optionBytes);
    at += optionBytes;
  }
}

/**
 * The options of a Hop-by-Hop or Destination Options header, in order, without the padding.
 * @throws RoceError `invalid-packet` if an option extends beyond its header.
 */
export function readOptions(bytes: Uint8Array, header: LocatedExtensionHeader): LocatedIpv6Option[] {
  const options: LocatedIpv6Option[] = [];
  walkOptions(bytes, header.offset + ExtensionHeader.lenBytes, header.offset + header.bytes,
    (type, offset, optionBytes) => {
      if (type === Ipv6Option.PAD1 || type === Ipv6Option.PADN) return;
      options.push({ type, offset, dataOffset: offset + OPTION.lenBytes, dataBytes: optionBytes - OPTION.lenBytes });
    });
  return options;
}

/** Writes one Pad1 or one PadN, as RFC 8200, section 4.2 requires. */
function padTo(contents: Uint8Array, from: number, to: number): void {
  const length = to - from;
  // Nothing, or a Pad1, which is the 0 already there.
  if (length >= OPTION.lenBytes)
    OPTION.writeInto(contents, from, { type: Ipv6Option.PADN, data: new Uint8Array(length - OPTION.lenBytes) });
}

/**
 * Rejects a packet with an unknown option whose type requests a discard.
 *
 * @throws RoceError `invalid-packet` unless its action bits are 00.
 */
export function rejectUnknownOption(option: LocatedIpv6Option): void {
  if ((option.type & Ipv6Option.ACTION_MASK) === Ipv6Option.ACTION_SKIP) return;
  throw invalidPacket('ipv6 option', option.offset, 'is unknown and requires a discard', option.type,
    'with action bits 00');
}
