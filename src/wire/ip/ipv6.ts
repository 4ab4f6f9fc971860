/**
 * IPv6 header (RFC 8200, section 3), as RoCEv2 uses it (IBTA Annex A17, section A17.3.1.2).
 *
 *   0 version 4, traffic class 8 (DSCP 6, ECN 2), flow label 20 | 4 payload length | 6 next header | 7 hop limit
 *   8 source (16) | 24 destination (16)
 */
import { IP_ADDRESS_BYTES } from './ip-address.js';
import { type BuildHeader, type BuildHeaderInto, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

export const IPV6 = /* @__PURE__ */ defineHeader({
  title: 'IPv6',
  source: 'RFC 8200, section 3; IBTA Annex A17, section A17.3.1.2',
  layer: 'ipv6 header',
  where: 'ipv6',
  fields: (field) => ({
    /** 0..63. */
    dscp: field.constant('version', 4, 6).bits(6),
    /** 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE (RFC 3168, section 5). */
    ecn: field.bits(2),
    /** Flow label, 20 bits; 0 = none (RFC 6437, section 2). */
    flowLabel: field.bits(20),
    /** Bytes behind this header, extension headers included. */
    payloadLength: field.bits(16),
    /** Protocol number of the next header or payload; 17 in RoCEv2 without extension headers (CA17-16). */
    nextHeader: field.bits(8),
    /** Routers that may still forward the packet, 0..255. */
    hopLimit: field.bits(8),
    /** 16 bytes. */
    source: field.bytesOf(IP_ADDRESS_BYTES),
    /** 16 bytes. */
    destination: field.bytesOf(IP_ADDRESS_BYTES),
  }),
});

/** Length of the header without extension headers: 40 bytes. */
export const IPV6_BYTES = IPV6.bytes;
/** The drawing of docs/wire.md. */
export const IPV6_LAYOUT = IPV6.layout;

/** An IPv6 header, as a value. */
export interface Ipv6Header extends HeaderValue<typeof IPV6> {}

/** Reads an IPv6 header in place. */
export class Ipv6View extends IPV6.View {
  /** Traffic class, 0..255: DSCP in the high six bits, ECN in the low two. */
  get trafficClass(): number {
    return (this.dscp << 2) | this.ecn;
  }
}

/**
 * Reads an IPv6 header; the inverse of `buildIpv6`.
 * @throws RoceError `invalid-packet` when the bytes end inside it, or for another version.
 */
export const parseIpv6: ParseHeader<Ipv6Header> = IPV6.parse;
/** Writes an IPv6 header. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildIpv6: BuildHeader<Ipv6Header> = IPV6.build;
/** As `buildIpv6`, into `target`. @returns the offset behind the header. */
export const buildIpv6Into: BuildHeaderInto<Ipv6Header> = IPV6.buildInto;
