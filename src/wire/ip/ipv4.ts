/**
 * IPv4 header (RFC 791, section 3.1), as RoCEv2 uses it (IBTA Annex A17, section A17.3.1.1).
 *
 *   0 version 4, IHL 4 | 1 DSCP 6, ECN 2 | 2 total length | 4 identification | 6 flags 3, fragment offset 13
 *   8 TTL | 9 protocol | 10 header checksum | 12 source (4) | 16 destination (4) | 20 options
 *
 * Addresses are the 16 bytes of their IPv4-mapped form, as everywhere in this library.
 */
import { allocating, lengthOf, readU16, writeU16 } from '../bytes.js';
import { type BuildHeader, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';
import { internetChecksum, sumOfWords } from '../internet-checksum.js';

/** "Don't fragment", as RoCEv2 requires (CA17-7); a value of the 3-bit field. */
export const IPV4_FLAG_DF = 2;
/** "More fragments": this is not the last fragment; a value of the 3-bit field. */
export const IPV4_FLAG_MF = 1;

export const IPV4 = /* @__PURE__ */ defineHeader({
  title: 'IPv4',
  source: 'RFC 791, section 3.1; IBTA Annex A17, section A17.3.1.1',
  layer: 'ipv4 header',
  where: 'ipv4',
  followedBy: 'options, a multiple of 4 bytes; none in RoCEv2 (CA17-3)',
  fields: (field) => ({
    /** 0..63. */
    dscp: field.constant('version', 4, 4).impliedLength('ihl', 4, { unitBytes: 4 }).bits(6),
    /** 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE (RFC 3168, section 5). */
    ecn: field.bits(2),
    /** Header and payload, bytes. */
    totalLength: field.bits(16),
    /** 16 bits; the same in all fragments of a datagram, without a use in others (RFC 6864). */
    identification: field.bits(16),
    /** Three bits: reserved 4, DF 2, MF 1. */
    flags: field.bits(3),
    /** In units of 8 bytes. */
    fragmentOffset: field.bits(13),
    /** Time to live, 0..255: routers that may still forward the packet. */
    ttl: field.bits(8),
    /** Protocol number of the payload (IANA, "Protocol Numbers"); 17 in RoCEv2 (CA17-10). */
    protocol: field.bits(8),
    /** As on the wire; the right one when left out. */
    checksum: field.bits(16, 0),
    /** 16 bytes, IPv4-mapped. */
    source: field.ipv4Address(),
    /** 16 bytes, IPv4-mapped. */
    destination: field.ipv4Address(),
    /** Empty in RoCEv2 (CA17-3); a multiple of 4 bytes. */
    options: field.rest(),
  }),
});

/** Header without options. */
export const IPV4_BYTES = IPV4.bytes;
/** The drawing of docs/wire.md. */
export const IPV4_LAYOUT = IPV4.layout;
const IPV4_CHECKSUM = IPV4.offsetOf('checksum');

/** An IPv4 header, as a value. */
export interface Ipv4Header extends HeaderValue<typeof IPV4> {}

/** Input of `buildIpv4`; without `checksum` the right one is computed. */
export interface Ipv4Fields extends HeaderFields<typeof IPV4> {}

/** Reads an IPv4 header in place. */
export class Ipv4View extends IPV4.View {}

/**
 * Reads an IPv4 header; the inverse of `buildIpv4`. The checksum is reported, not judged.
 * @throws RoceError `invalid-packet`: too short, another version, or an IHL below 5.
 */
export const parseIpv4: ParseHeader<Ipv4Header> = IPV4.parse;

/** Writes an IPv4 header. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildIpv4: BuildHeader<Ipv4Fields> = /* @__PURE__ */ allocating(
  ({ options }) => IPV4_BYTES + lengthOf('ipv4.options', options),
  buildIpv4Into,
);

/** As `buildIpv4`, into `target`. @returns the offset behind the header. */
export function buildIpv4Into(target: Uint8Array, offset: number, header: Ipv4Fields): number {
  const endOffset = IPV4.buildInto(target, offset, header);
  if (header.checksum === undefined) writeU16(target, offset + IPV4_CHECKSUM, computeIpv4Checksum(target, offset));
  return endOffset;
}

/**
 * The checksum that the header at `offset` should have (RFC 791, section 3.1), regardless of its checksum field.
 * @throws RoceError `invalid-packet` as `Ipv4View`.
 */
export function computeIpv4Checksum(bytes: Uint8Array, offset = 0): number {
  const { headerBytes } = new Ipv4View(bytes, offset);
  const sum = sumOfWords(bytes, offset, offset + headerBytes);
  return internetChecksum(sum - readU16(bytes, offset + IPV4_CHECKSUM));
}
