/**
 * Extensible Record Format header of Endace's capture cards (tcpdump.org, LINKTYPE_ERF; Endace, "ERF types"): the start
 * of each packet of link type 197.
 *
 *   0 timestamp (8) | 8 type (1) | 9 flags (1) | 10 record length (2) | 12 loss counter (2) | 14 wire length (2)
 *   { extension header (8) }* while the top bit of the type, or of the extension header before, is set
 *
 * In Ethernet records, two bytes of padding follow the header, included in the record length but not in the wire
 * length.
 */
import { defineHeader } from '../header/define-header.js';

/** Bit of the type, and of an extension header's first byte: an extension header follows. */
const MORE = 0x80;
const TYPE_MASK = 0x7f;
/** Padding between the header and the destination address of an Ethernet record. */
const ETHERNET_PAD_BYTES = 2;
const EXTENSION_BYTES = 8;
/** TYPE_ETH, TYPE_COLOR_ETH, TYPE_DSM_COLOR_ETH, TYPE_COLOR_HASH_ETH. */
const ETHERNET_TYPES: readonly number[] = [2, 11, 16, 20];
const TYPE_IPV4 = 22;
const TYPE_IPV6 = 23;

/** The fixed part of the ERF header. */
export const Erf = /* @__PURE__ */ defineHeader({
  title: 'Endace ERF',
  source: 'tcpdump.org, LINKTYPE_ERF',
  layer: 'erf header',
  where: 'erf',
  followedBy: 'extension headers of 8 bytes while the top bit of the type is set; 2 bytes in Ethernet records',
  fields: (field) => ({
    /** Little-endian 32.32 seconds since 1970. */
    timestamp: field.bytesOf(8),
    /** Type of the record, 2 = Ethernet; the top bit announces an extension header. */
    recordType: field.bits(8),
    /** Interface in the low two bits; bit 3 truncated, bit 4 receive error. */
    flags: field.bits(8, 0),
    /** Length of the record including this header, bytes. */
    recordLength: field.bits(16, 0),
    /** Number of packets lost before this one, or the colour. */
    lossCounter: field.bits(16, 0),
    /** Length on the wire, including Ethernet's frame check sequence, bytes. */
    wireLength: field.bits(16),
    /** Extension headers and padding. */
    more: field.rest(),
  }),
});

const RECORD_TYPE = Erf.offsetOf('recordType');

/** Protocol of the packet in an ERF record. */
export type ErfPayload = 'ethernet' | 'ipv4' | 'ipv6' | 'unknown';

/** Protocol of the packet after the header. The caller has checked that the fixed part is complete. */
export function erfPayload(bytes: Uint8Array, offset: number): ErfPayload {
  const type = bytes[offset + RECORD_TYPE] & TYPE_MASK;
  if (ETHERNET_TYPES.includes(type)) return 'ethernet';
  if (type === TYPE_IPV4) return 'ipv4';
  return type === TYPE_IPV6 ? 'ipv6' : 'unknown';
}

/** Length of the header with extension headers and padding, as far as captured. */
export function erfHeaderBytes(bytes: Uint8Array, offset: number): number {
  let end = offset + Erf.lenBytes;
  let hasMore = (bytes[offset + RECORD_TYPE] & MORE) !== 0;
  while (hasMore && end < bytes.length) {
    hasMore = (bytes[end] & MORE) !== 0;
    end += EXTENSION_BYTES;
  }
  return end - offset + (erfPayload(bytes, offset) === 'ethernet' ? ETHERNET_PAD_BYTES : 0);
}
