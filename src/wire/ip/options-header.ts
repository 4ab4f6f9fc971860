/**
 * Hop-by-Hop Options and Destination Options header as a list of options (RFC 8200, sections 4.2, 4.3 and 4.6).
 *
 *   0 next header | 1 length in units of 8 bytes, the first 8 not counted | 2 options and padding to the end
 *
 * Read, every padding is in the list as it stood, so that what was read is built byte for byte. Written from scratch,
 * `layOutOptions` puts each option at its alignment xn+y (its type byte at a multiple of x plus y from the header's
 * start), with one Pad1 or one PadN in between, and fills up to a multiple of 8 bytes (appendix A).
 */
import { RoceError } from '../../errors.js';
import { requireField } from '../bytes.js';
import { extensionLength, EXTENSION_CONTENTS, EXTENSION_MAX_BYTES, EXTENSION_NEXT_HEADER, EXTENSION_UNIT_BYTES,
  ExtensionHeaderView, beginExtensionHeader, requireExtensionHeader } from './extension-header.js';
import { OPTION_DATA, OPTION_DATA_MAX_BYTES, OPTION_LENGTH, OPTION_PAD1, OPTION_PADN, OPTION_TYPE,
  requireOption } from './ipv6-options.js';

const LAYER = 'ipv6 options header';
const WHERE = 'optionsHeader';
/** Alignments beyond 8 bytes mean nothing: the header itself is 8-aligned (RFC 8200, appendix A). */
const ALIGNMENTS = [1, 2, 4, 8];

/** What stands in an options header: padding, or an option. */
export type OptionField =
  /** One byte 0. */
  | { readonly kind: 'pad1' }
  /** Type 1; `data` is zeros in what follows the rules, 0..255 bytes. */
  | { readonly kind: 'padn'; readonly data: Uint8Array }
  /** `type` 2..255, `data` 0..255 bytes. */
  | { readonly kind: 'option'; readonly type: number; readonly data: Uint8Array };

/** A Hop-by-Hop Options or Destination Options header. */
export interface OptionsHeader {
  readonly nextHeader: number;
  /** From the third byte to the last; together a multiple of 8 less 2 bytes, 6..2046. */
  readonly options: readonly OptionField[];
}

/** Where an option may stand: its type byte at a multiple of x, plus y. */
export interface OptionAlignment {
  /** 1, 2, 4 or 8. */
  readonly x: number;
  /** 0..x-1. */
  readonly y: number;
}

/** An option that is still without a place. */
export interface AlignedOption {
  /** 2..255. */
  readonly type: number;
  /** 0..255 bytes. */
  readonly data: Uint8Array;
  /** Anywhere if absent. */
  readonly align?: OptionAlignment;
}

/** Reads an options header in place; `readOptions` walks its options. */
export class OptionsHeaderView extends ExtensionHeaderView {
  protected override check(bytes: Uint8Array, offset: number): void {
    const endOffset = offset + requireExtensionHeader(LAYER, bytes, offset);
    let at = offset + EXTENSION_CONTENTS;
    while (at < endOffset) at += requireOption(bytes, at, endOffset);
  }
}

/**
 * Reads an options header; the inverse of `buildOptionsList`.
 * @throws RoceError `invalid-packet` when the bytes end inside it, or an option reaches beyond it.
 */
export function parseOptionsHeader(bytes: Uint8Array, offset = 0): OptionsHeader {
  const endOffset = offset + requireExtensionHeader(LAYER, bytes, offset);
  const options: OptionField[] = [];
  let at = offset + EXTENSION_CONTENTS;
  while (at < endOffset) {
    const optionBytes = requireOption(bytes, at, endOffset);
    options.push(readField(bytes, at, optionBytes));
    at += optionBytes;
  }
  return { nextHeader: bytes[offset + EXTENSION_NEXT_HEADER], options };
}

/**
 * Writes an options header as listed: it adds no padding (see `layOutOptions`).
 * @throws RoceError `invalid-argument` naming a field out of range, or when the whole is not a multiple of 8 bytes,
 * 8..2048.
 */
export function buildOptionsList(header: OptionsHeader): Uint8Array {
  const bytes = new Uint8Array(measureOptions(header.options));
  buildOptionsListInto(bytes, 0, header);
  return bytes;
}

/** As `buildOptionsList`, into `target`. @returns the offset behind the header. */
export function buildOptionsListInto(target: Uint8Array, offset: number, header: OptionsHeader): number {
  const headerBytes = measureOptions(header.options);
  extensionLength(WHERE, headerBytes);
  for (const field of header.options) requireOptionField(field);
  beginExtensionHeader(WHERE, target, offset, header.nextHeader, headerBytes);
  let at = offset + EXTENSION_CONTENTS;
  for (const field of header.options) at = writeField(target, at, field);
  return at;
}

/**
 * Gives each option its place: as early as its alignment allows, in the order given.
 *
 * @returns the options with their padding, for `buildOptionsList`; without options the padding of an empty header.
 * @throws RoceError `invalid-argument` for a type, length or alignment out of range, or more than 2048 bytes in all.
 */
export function layOutOptions(options: readonly AlignedOption[]): OptionField[] {
  const fields: OptionField[] = [];
  let at = EXTENSION_CONTENTS;
  for (const { type, data, align = { x: 1, y: 0 } } of options) {
    const field: OptionField = { kind: 'option', type, data };
    requireOptionField(field);
    requireAlignment(align);
    const gap = modulo(align.y - at, align.x);
    pad(fields, gap);
    fields.push(field);
    at += gap + fieldBytes(field);
  }
  pad(fields, modulo(-at, EXTENSION_UNIT_BYTES));
  if (at > EXTENSION_MAX_BYTES) {
    const allowed = `at most ${EXTENSION_MAX_BYTES} bytes with the padding`;
    throw new RoceError('invalid-argument', 'options do not fit into one header', { got: at, allowed, where: WHERE });
  }
  return fields;
}

function readField(bytes: Uint8Array, at: number, optionBytes: number): OptionField {
  const type = bytes[at + OPTION_TYPE];
  if (type === OPTION_PAD1) return { kind: 'pad1' };
  const data = bytes.slice(at + OPTION_DATA, at + optionBytes);
  return type === OPTION_PADN ? { kind: 'padn', data } : { kind: 'option', type, data };
}

function writeField(target: Uint8Array, at: number, field: OptionField): number {
  if (field.kind === 'pad1') {
    target[at] = OPTION_PAD1;
    return at + 1;
  }
  target[at + OPTION_TYPE] = field.kind === 'padn' ? OPTION_PADN : field.type;
  target[at + OPTION_LENGTH] = field.data.length;
  target.set(field.data, at + OPTION_DATA);
  return at + OPTION_DATA + field.data.length;
}

function fieldBytes(field: OptionField): number {
  return field.kind === 'pad1' ? 1 : OPTION_DATA + field.data.length;
}

function measureOptions(options: readonly OptionField[]): number {
  let bytes = EXTENSION_CONTENTS;
  for (const field of options) bytes += fieldBytes(field);
  return bytes;
}

/** One Pad1 or one PadN; nothing for 0 bytes. */
function pad(fields: OptionField[], bytes: number): void {
  if (bytes === 1) fields.push({ kind: 'pad1' });
  if (bytes > 1) fields.push({ kind: 'padn', data: new Uint8Array(bytes - OPTION_DATA) });
}

function requireOptionField(field: OptionField): void {
  if (field.kind === 'pad1') return;
  requireField(`${WHERE}.options.data.length`, field.data.length, OPTION_DATA_MAX_BYTES);
  if (field.kind === 'padn') return;
  requireField(`${WHERE}.options.type`, field.type, 0xff);
  if (field.type !== OPTION_PAD1 && field.type !== OPTION_PADN) return;
  throw new RoceError('invalid-argument', 'padding is not an option', {
    got: field.type,
    allowed: '2..255; padding has the kinds pad1 and padn',
    where: `${WHERE}.options.type`,
  });
}

function requireAlignment({ x, y }: OptionAlignment): void {
  if (ALIGNMENTS.includes(x) && Number.isInteger(y) && y >= 0 && y < x) return;
  throw new RoceError('invalid-argument', 'not an alignment', {
    got: `${x}n+${y}`,
    allowed: `xn+y with x one of ${ALIGNMENTS.join(', ')} and y in 0..x-1`,
    where: `${WHERE}.options.align`,
  });
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
