/**
 * IPv4 header (RFC 791, section 3.1), as RoCEv2 uses it (IBTA Annex A17, section A17.3.1.1).
 *
 *   0 version 4, IHL 4 | 1 DSCP 6, ECN 2 | 2 total length | 4 identification | 6 flags 3, fragment offset 13
 *   8 TTL | 9 protocol | 10 header checksum | 12 source (4) | 16 destination (4) | 20 options
 *
 * Addresses have 16 bytes in IPv4-mapped form, as everywhere in this library.
 */
import { lengthOf, requireRecord, readU16, writeU16 } from '../bytes.js';
import { type FieldsOf, type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';
import { internetChecksum, sumOfWords } from '../internet-checksum.js';

const IPV4 = /* @__PURE__ */ defineHeader({
  title: 'IPv4',
  source: 'RFC 791, section 3.1; IBTA Annex A17, section A17.3.1.1',
  layer: 'ipv4 header',
  where: 'ipv4',
  followedBy: 'options, a multiple of 4 bytes; none in RoCEv2 (CA17-3)',
  fields: (field) => ({
    /** DSCP, 0..63. */
    dscp: field.constant('version', 4, 4).impliedLength('ihl', 4, { unitBytes: 4 }).bits(6),
    /** 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE (RFC 3168, section 5). */
    ecn: field.bits(2),
    /** Length of header and payload, bytes. */
    totalLength: field.bits(16),
    /** 16 bits; the same in all fragments of a datagram, otherwise unused (RFC 6864). */
    identification: field.bits(16),
    /** Three bits: reserved 4, DF 2, MF 1. */
    flags: field.bits(3),
    /** In units of 8 bytes. */
    fragmentOffset: field.bits(13),
    /** Time to live, 0..255: how many more routers may forward the packet. */
    ttl: field.bits(8),
    /** Protocol number of the payload (IANA, "Protocol Numbers"); 17 in RoCEv2 (CA17-10). */
    protocol: field.bits(8),
    /** As received; when written, computed by default. */
    checksum: field.bits(16, 0),
    /** Source address, 16 bytes, IPv4-mapped. */
    source: field.ipv4Address(),
    /** Destination address, 16 bytes, IPv4-mapped. */
    destination: field.ipv4Address(),
    /** Empty in RoCEv2 (CA17-3); a multiple of 4 bytes. */
    options: field.rest(),
  }),
});

const IPV4_CHECKSUM = IPV4.offsetOf('checksum');

/** An IPv4 header, as a value. */
export interface Ipv4 extends ValueOf<typeof IPV4> {}

/** An IPv4 header. When written, `checksum` is computed by default. */
export const Ipv4 = /* @__PURE__ */ extendHeader(IPV4, {
  /** "Don't fragment", as RoCEv2 requires (CA17-7); a value of the 3-bit field. */
  FLAG_DF: 2,
  /** "More fragments": this is not the last fragment; a value of the 3-bit field. */
  FLAG_MF: 1,
  /**
   * Writes an IPv4 header.
   * @returns the offset after the header.
   * @throws RoceError `invalid-argument` naming a field out of range.
   */
  writeInto(target: Uint8Array, offset: number, header: FieldsOf<typeof IPV4>): number {
    const endOffset = IPV4.writeInto(target, offset, header);
    if (header.checksum === undefined) writeU16(target, offset + IPV4_CHECKSUM, Ipv4.computeChecksum(target, offset));
    return endOffset;
  },
  /** Number of bytes that `write` writes. */
  lenBytesOf(header: FieldsOf<typeof IPV4>): number {
    requireRecord('ipv4', header);
    return IPV4.lenBytes + lengthOf('ipv4.options', header.options);
  },
  /**
   * Computes the checksum of the header at `offset` (RFC 791, section 3.1), regardless of its checksum field.
   * @throws RoceError `invalid-packet` like `Ipv4.View`.
   */
  computeChecksum(bytes: Uint8Array, offset = 0): number {
    const { headerBytes } = new Ipv4.View(bytes, offset);
    const sum = sumOfWords(bytes, offset, offset + headerBytes);
    return internetChecksum(sum - readU16(bytes, offset + IPV4_CHECKSUM));
  },
});
