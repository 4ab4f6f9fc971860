/**
 * The options at the end of a pcapng block: code u16 | length u16 | value, padded to 4; the list ends with code 0.
 *
 * Source: draft-ietf-opsawg-pcapng, sections 3.5 (options), 4.1 (section header) and 4.2 (interface description).
 */
import { writeRejected } from './frame-to-write.js';

export const OPTION_COMMENT = 1;
export const OPTION_IF_NAME = 2;
export const OPTION_SHB_USERAPPL = 4;
export const OPTION_IF_TSRESOL = 9;
export const OPTION_IF_TSOFFSET = 14;

const HEADER_BYTES = 4;
const END_BYTES = 4;
const LENGTH = 2;
const MAX_VALUE_BYTES = 0xffff;

export interface PcapngOption {
  readonly code: number;
  readonly value: Uint8Array;
}

const NO_BYTES = new Uint8Array(0);

/** An encoded option list with its end marker; empty for an empty list. */
export function encodeOptions(options: readonly PcapngOption[], littleEndian: boolean): Uint8Array {
  if (options.length === 0) return NO_BYTES;
  const lengthBytes = options.reduce((sum, { value }) => sum + HEADER_BYTES + paddedLength(value.length), END_BYTES);
  const bytes = new Uint8Array(lengthBytes);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const { code, value } of options) {
    view.setUint16(at, code, littleEndian);
    view.setUint16(at + LENGTH, value.length, littleEndian);
    bytes.set(value, at + HEADER_BYTES);
    at += HEADER_BYTES + paddedLength(value.length);
  }
  return bytes;
}

/**
 * A text option, in UTF-8.
 *
 * @throws RoceError `invalid-argument` if it is not a string, or is longer than 65535 bytes
 */
export function textOption(code: number, text: string, where: string): PcapngOption {
  if (typeof text !== 'string') throw writeRejected(where, text, 'a string');
  const value = new TextEncoder().encode(text);
  if (value.length <= MAX_VALUE_BYTES) return { code, value };
  const allowed = { max: MAX_VALUE_BYTES, unit: 'bytes of UTF-8' };
  throw writeRejected(where, value.length, allowed, { what: 'the length of the text' });
}

/** @throws RoceError `invalid-argument` like `textOption` */
export function commentOptions(comments: readonly string[], where: string): PcapngOption[] {
  return comments.map((text, index) => textOption(OPTION_COMMENT, text, `${where}[${index}]`));
}

/** Option if_tsoffset, a signed 64-bit number. */
export function offsetOption(seconds: number, littleEndian: boolean): PcapngOption {
  const value = new Uint8Array(8);
  new DataView(value.buffer).setBigInt64(0, BigInt(seconds), littleEndian);
  return { code: OPTION_IF_TSOFFSET, value };
}

/** Pads a length to a multiple of 4 bytes, where everything in a block begins. */
export function paddedLength(lengthBytes: number): number {
  return Math.ceil(lengthBytes / 4) * 4;
}
