/**
 * The option area of an IPv4 header (RFC 791, section 3.1).
 *
 *   option       0 type (copied 1, class 2, number 5) | 1 length of the whole option | 2 data
 *   single byte 0 end of the list, 1 no operation
 *
 * IHL has 4 bits, so a header has at most 60 bytes and its options at most 40.
 */
import { invalidPacket, requireBytes } from '../bytes.js';

export const IPV4_OPTION_TYPE = 0;
export const IPV4_OPTION_LENGTH = 1;
export const IPV4_OPTION_DATA = 2;
export const IPV4_OPTION_END = 0;
export const IPV4_OPTION_NOP = 1;
/** 15 words of header less the five that every header has. */
export const IPV4_OPTIONS_MAX_BYTES = 40;
/** The option area is a multiple of this. */
export const IPV4_OPTIONS_UNIT_BYTES = 4;

const LAYER = 'ipv4 option';

/** One option, in place. */
export interface Ipv4Option {
  readonly type: number;
  /** Of its type byte. */
  readonly offset: number;
  /** The whole option, bytes. */
  readonly bytes: number;
}

/**
 * The options between two offsets, in order, without "no operation" and what follows the end of the list.
 *
 * Source: RFC 791, section 3.1.
 * @throws RoceError `invalid-packet` when an option is shorter than its first two bytes or reaches beyond the area.
 */
export function readIpv4Options(bytes: Uint8Array, offset: number, endOffset: number): Ipv4Option[] {
  const options: Ipv4Option[] = [];
  let at = offset;
  while (at < endOffset && bytes[at] !== IPV4_OPTION_END) {
    if (bytes[at] === IPV4_OPTION_NOP) {
      at += 1;
      continue;
    }
    const option = readOption(bytes, at, endOffset);
    options.push(option);
    at += option.bytes;
  }
  return options;
}

function readOption(bytes: Uint8Array, offset: number, endOffset: number): Ipv4Option {
  requireBytes(LAYER, bytes, offset, IPV4_OPTION_DATA, endOffset);
  const length = bytes[offset + IPV4_OPTION_LENGTH];
  if (length < IPV4_OPTION_DATA) throw invalidPacket(LAYER, offset, 'has a wrong length', length, '2..40 bytes');
  requireBytes(LAYER, bytes, offset, length, endOffset);
  return { type: bytes[offset], offset, bytes: length };
}

/** An option area that holds one option: the end of the list behind it as padding. */
export function padIpv4Options(option: Uint8Array): Uint8Array {
  const area = new Uint8Array(Math.ceil(option.length / IPV4_OPTIONS_UNIT_BYTES) * IPV4_OPTIONS_UNIT_BYTES);
  area.set(option);
  return area;
}
