/**
 * The option area of an IPv4 header (RFC 791, section 3.1).
 *
 *   option       0 type (copied 1, class 2, number 5) | 1 length of the whole option | 2 data
 *   single byte 0 end of the list, 1 no operation
 *
 * IHL has 4 bits, so a header has at most 60 bytes and its options at most 40.
 */
import { defineHeader } from '../header/define-header.js';

export const IPV4_OPTION_END = 0;
export const IPV4_OPTION_NOP = 1;
/** Maximum header length of 15 words, less the five that every header has. */
export const IPV4_OPTIONS_MAX_BYTES = 40;
/** The length of the option area is a multiple of this. */
const IPV4_OPTIONS_UNIT_BYTES = 4;

const OPTION = /* @__PURE__ */ defineHeader({
  title: 'IPv4 option',
  source: 'RFC 791, section 3.1',
  layer: 'ipv4 option',
  fields: (field) => ({
    type: field.bits(8),
    length: field.length(8, { maximumBytes: IPV4_OPTIONS_MAX_BYTES }),
  }),
});

/** One option, in place. */
export interface Ipv4Option {
  readonly type: number;
  /** Offset of its type byte. */
  readonly offset: number;
  /** Length of the whole option, bytes. */
  readonly bytes: number;
}

/**
 * Returns the options between two offsets, in order, without "no operation" and anything after the end of the list.
 *
 * Source: RFC 791, section 3.1.
 * @throws RoceError `invalid-packet` if an option is shorter than its first two bytes or extends beyond the area.
 */
export function readIpv4Options(bytes: Uint8Array, offset: number, endOffset: number): Ipv4Option[] {
  const options: Ipv4Option[] = [];
  for (let at = offset; at < endOffset && bytes[at] !== IPV4_OPTION_END;) {
    const isNop = bytes[at] === IPV4_OPTION_NOP;
    const lenBytes = isNop ? 1 : OPTION.lenBytesAt(bytes, at, endOffset);
    if (!isNop) options.push({ type: bytes[at], offset: at, bytes: lenBytes });
    at += lenBytes;
  }
  return options;
}

/** Builds an option area with one option, padded with "end of list". */
export function padIpv4Options(option: Uint8Array): Uint8Array {
  const area = new Uint8Array(Math.ceil(option.length / IPV4_OPTIONS_UNIT_BYTES) * IPV4_OPTIONS_UNIT_BYTES);
  area.set(option);
  return area;
}
