/**
 * Per-Packet Information header (tcpdump.org, LINKTYPE_PPI; CACE Technologies, "PPI Header format specification" 1.0.7):
 * the start of each packet of link type 192.
 *
 *   0 version (1) | 1 flags (1) | 2 length (2, little-endian) | 4 link type of the packet (4, little-endian) | 8 fields
 */
import { defineHeader } from '../header/define-header.js';

/** The PPI header. Multi-byte fields are little-endian on the wire. */
export const Ppi = /* @__PURE__ */ defineHeader({
  title: 'Per-Packet Information (PPI)',
  source: 'tcpdump.org, LINKTYPE_PPI',
  layer: 'ppi header',
  where: 'ppi',
  followedBy: 'fields, up to the length',
  fields: (field) => ({
    /** Version, 0. */
    ppiVersion: field.bits(8, 0),
    /** Bit 0: fields are aligned to 32 bits. */
    flags: field.bits(8, 0),
    /** Length of the whole header, bytes, little-endian. */
    lengthBytes: field.bytesOf(2),
    /** Link type of the packet after it, little-endian. */
    linkTypeBytes: field.bytesOf(4),
    /** Fields, each of type, length and data. */
    fields: field.rest(),
  }),
});

const LENGTH = Ppi.offsetOf('lengthBytes');
const LINK_TYPE = Ppi.offsetOf('linkTypeBytes');

/** Length of the whole header, bytes. The caller has checked that the fixed part is complete. */
export function ppiHeaderBytes(bytes: Uint8Array, offset: number): number {
  return bytes[offset + LENGTH] | (bytes[offset + LENGTH + 1] << 8);
}

/** Link type of the packet after the header. The caller has checked that the fixed part is complete. */
export function ppiLinkType(bytes: Uint8Array, offset: number): number {
  const at = offset + LINK_TYPE;
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}
