/**
 * Hop-by-Hop Options and Destination Options header as a list of options (RFC 8200, sections 4.2, 4.3 and 4.6).
 *
 *   0 next header | 1 length in units of 8 bytes, the first 8 not counted | 2 options and padding to the end
 *
 * Reading keeps all padding in the list, so that writing restores the header byte for byte. For new headers,
 * `OptionsHeader.layOut` places each option at its alignment xn+y (its type byte at a multiple of x plus y from the
 * header's start), with one Pad1 or one PadN in between, and pads to a multiple of 8 bytes (appendix A).
 */
import { invalidArgument, requireField, requireList, requireRecord, lengthOf } from '../bytes.js';
import { defineHeader } from '../header/define-header.js';
import { EXTENSION_LENGTH_RULE, ExtensionHeader } from './extension-header.js';
import { Ipv6Option, walkOptions } from './ipv6-options.js';
import { extendHeader } from '../header/extend-header.js';

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
