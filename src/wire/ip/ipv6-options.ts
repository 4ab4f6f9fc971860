/**
 * Hop-by-Hop Options and Destination Options headers: their options in place, and the whole header as a list of options
 * (RFC 8200, sections 4.2, 4.3 and 4.6).
 *
 *   header        0 next header | 1 length in units of 8 bytes, the first 8 not counted | 2 options and padding to the end
 *   option        0 type | 1 length of the data | 2 data; Pad1 is the single byte 0
 *   option type   action 2 bits (if unknown: 00 skip, 01 discard, 10 and 11 discard and report), change 1 bit, 5 bits
 *
 * Reading a list keeps all padding, so that writing restores the header byte for byte. For new headers,
 * `OptionsHeader.layOut` places each option at its alignment xn+y (its type byte at a multiple of x plus y from the
 * header's start), with one Pad1 or one PadN in between, and pads to a multiple of 8 bytes (appendix A).
 */
import { invalidArgument, invalidPacket, requireField, requireList, requireRecord, lengthOf } from '../bytes.js';
import { extendHeader, defineHeader } from '../header/define-header.js';
import { ExtensionHeader, type LocatedExtensionHeader, EXTENSION_LENGTH_RULE } from './ipv6.js';
import { IpProtocol } from './ip-protocol.js';

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

const WHERE = 'optionsHeader';
/** Alignments beyond 8 bytes are meaningless: the header itself is 8-aligned (RFC 8200, appendix A). */
const ALIGNMENTS = [1, 2, 4, 8];

/** The fields before the options, which are handled separately. */
const OPTIONS = /* @__PURE__ */ defineHeader({
  title: 'IPv6 options header',
  source: 'RFC 8200, sections 4.3 and 4.6',
  layer: 'ipv6 options header',
  where: WHERE,
  fields: (field) => ({
    /** Protocol number of the next header or payload (IANA, "Protocol Numbers"). */
    nextHeader: field.bits(8),
    /** Bytes of the header / 8 - 1. */
    headerExtLen: field.length(8, EXTENSION_LENGTH_RULE),
  }),
});

/** An entry of an options header: padding, or an option. */
export type OptionField = {
  /** Pad1: one byte 0, without a length. */
  readonly kind: 'pad1';
} | {
  /** PadN: two or more bytes of padding. */
  readonly kind: 'padn';
  /** 0..255 bytes; all zeros if conforming. */
  readonly data: Uint8Array;
} | {
  /** An option other than padding. */
  readonly kind: 'option';
  /** All eight bits: action 2, change 1, number 5; 2..255. */
  readonly type: number;
  /** 0..255 bytes, not interpreted. */
  readonly data: Uint8Array;
};

/** A Hop-by-Hop Options or Destination Options header. */
export interface OptionsHeader {
  /** Protocol number of the next header or payload (IANA, "Protocol Numbers"). */
  readonly nextHeader: number;
  /** From the third byte to the last; 6..2046 bytes in total, 2 less than a multiple of 8. */
  readonly options: readonly OptionField[];
}

/** Alignment of an option: its type byte is at a multiple of x, plus y. */
export interface OptionAlignment {
  /** Divisor, 1, 2, 4 or 8. */
  readonly x: number;
  /** Remainder, 0..x-1. */
  readonly y: number;
}

/** An option to be placed. */
export interface AlignedOption {
  /** Option type, 2..255. */
  readonly type: number;
  /** Data of the option, 0..255 bytes. */
  readonly data: Uint8Array;
  /** Alignment; default: any position. */
  readonly align?: OptionAlignment;
}

/** Reads an options header in place; `readOptions` walks its options. */
export class OptionsHeaderView extends ExtensionHeader.View {
  protected override check(bytes: Uint8Array, offset: number): void {
    const endOffset = offset + OPTIONS.lenBytesAt(bytes, offset);
    walkOptions(bytes, offset + ExtensionHeader.lenBytes, endOffset, () => undefined);
  }
}

/** A Hop-by-Hop Options or Destination Options header. */
export const OptionsHeader = /* @__PURE__ */ extendHeader(OPTIONS, {
  /** Reads an options header in place; `readOptions` walks its options. */
  View: OptionsHeaderView,
  /**
   * Reads an options header; the inverse of `OptionsHeader.write`.
   * @throws RoceError `invalid-packet` if it is truncated, or an option extends beyond it.
   */
  read(bytes: Uint8Array, offset = 0): OptionsHeader {
    const endOffset = offset + OPTIONS.lenBytesAt(bytes, offset);
    const options: OptionField[] = [];
    walkOptions(bytes, offset + ExtensionHeader.lenBytes, endOffset, (type, at, optionBytes) => {
      if (type === Ipv6Option.PAD1) {
        options.push({ kind: 'pad1' });
        return;
      }
      const data = bytes.slice(at + Ipv6Option.lenBytes, at + optionBytes);
      options.push(type === Ipv6Option.PADN ? { kind: 'padn', data } : { kind: 'option', type, data });
    });
    return { nextHeader: OPTIONS.read(bytes, offset).nextHeader, options };
  },
  /**
   * Writes exactly the options listed, without adding padding (see `OptionsHeader.layOut`).
   * @returns the offset after the header.
   * @throws RoceError `invalid-argument` naming a field out of range, or if the total is not a multiple of 8 bytes,
   * 8..2048.
   */
  writeInto(target: Uint8Array, offset: number, header: OptionsHeader): number {
    requireRecord('optionsHeader', header);
    const { nextHeader, options } = header;
    requireList('optionsHeader.options', options);
    for (const field of options) requireOptionField(field);
    let at = OPTIONS.writePartInto(target, offset, { nextHeader }, measureOptions(options));
    for (const field of options) at = writeField(target, at, field);
    return at;
  },
  /** Number of bytes that `write` writes. */
  lenBytesOf(header: OptionsHeader): number {
    requireRecord(WHERE, header);
    return measureOptions(header.options);
  },
  /**
   * Places options in the given order, each as early as its alignment allows.
   *
   * @returns the options with their padding, for `OptionsHeader.write`; without options the padding of an empty header.
   * @throws RoceError `invalid-argument` for a type, length or alignment out of range, or more than 2048 bytes in all.
   */
  layOut(options: readonly AlignedOption[]): OptionField[] {
    requireList('options', options);
    for (const option of options) requireRecord('options', option);
    const fields: OptionField[] = [];
    let at = ExtensionHeader.lenBytes;
    for (const { type, data, align = { x: 1, y: 0 } } of options) {
      const field: OptionField = { kind: 'option', type, data };
      requireOptionField(field);
      requireAlignment(align);
      const gap = modulo(align.y - at, align.x);
      pad(fields, gap);
      fields.push(field);
      at += gap + fieldBytes(field);
    }
    pad(fields, modulo(-at, ExtensionHeader.UNIT_BYTES));
    if (at > ExtensionHeader.MAX_BYTES) {
      throw invalidArgument(WHERE, at, { max: ExtensionHeader.MAX_BYTES, unit: 'bytes' },
        'length of all options with their padding');
    }
    return fields;
  },
});

function writeField(target: Uint8Array, at: number, field: OptionField): number {
  if (field.kind !== 'pad1') return Ipv6Option.writeInto(target, at, { type: typeOf(field), data: field.data });
  target[at] = Ipv6Option.PAD1;
  return at + 1;
}

function typeOf(field: Exclude<OptionField, { kind: 'pad1' }>): number {
  return field.kind === 'padn' ? Ipv6Option.PADN : field.type;
}

function fieldBytes(field: OptionField): number {
  return field.kind === 'pad1' ? 1 : Ipv6Option.lenBytes + field.data.length;
}

function measureOptions(options: readonly OptionField[]): number {
  requireList(`${WHERE}.options`, options);
  for (const field of options) requireOptionField(field);
  let bytes = ExtensionHeader.lenBytes;
  for (const field of options) bytes += fieldBytes(field);
  return bytes;
}

/** Adds one Pad1 or one PadN; nothing for 0 bytes. */
function pad(fields: OptionField[], bytes: number): void {
  if (bytes === 1) fields.push({ kind: 'pad1' });
  if (bytes > 1) fields.push({ kind: 'padn', data: new Uint8Array(bytes - Ipv6Option.lenBytes) });
}

function requireOptionField(field: OptionField): void {
  requireRecord(`${WHERE}.options`, field);
  if (field.kind === 'pad1') return;
  lengthOf(`${WHERE}.options.data`, field.data);
  Ipv6Option.require({ type: typeOf(field), data: field.data });
  // Padding has separate kinds.
  if (field.kind === 'option') requireField(`${WHERE}.options.type`, field.type, 0xff, Ipv6Option.PADN + 1);
}

function requireAlignment(align: OptionAlignment): void {
  requireRecord(`${WHERE}.options.align`, align);
  const { x, y } = align;
  if (ALIGNMENTS.includes(x) && Number.isInteger(y) && y >= 0 && y < x) return;
  const allowed = `xn+y with x one of ${ALIGNMENTS.join(', ')} and y in 0..x-1`;
  throw invalidArgument(`${WHERE}.options.align`, `${x}n+${y}`, allowed, 'alignment');
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
