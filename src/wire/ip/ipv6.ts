/**
 * IPv6 header (RFC 8200, section 3), as RoCEv2 uses it (IBTA Annex A17, section A17.3.1.2).
 *
 *   0 version 4, traffic class 8 (DSCP 6, ECN 2), flow label 20 | 4 payload length | 6 next header | 7 hop limit
 *   8 source (16) | 24 destination (16)
 */
import { IP_ADDRESS_BYTES } from './ip-address.js';
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';

const IPV6 = /* @__PURE__ */ defineHeader({
  title: 'IPv6',
  source: 'RFC 8200, section 3; IBTA Annex A17, section A17.3.1.2',
  layer: 'ipv6 header',
  where: 'ipv6',
  fields: (field) => ({
    /** DSCP, 0..63. */
    dscp: field.constant('version', 4, 6).bits(6),
    /** 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE (RFC 3168, section 5). */
    ecn: field.bits(2),
    /** Flow label, 20 bits; 0 = none (RFC 6437, section 2). */
    flowLabel: field.bits(20),
    /** Number of bytes after this header, including extension headers. */
    payloadLength: field.bits(16),
    /** Protocol number of the next header or payload; 17 in RoCEv2 without extension headers (CA17-16). */
    nextHeader: field.bits(8),
    /** How many more routers may forward the packet, 0..255. */
    hopLimit: field.bits(8),
    /** Source address, 16 bytes. */
    source: field.bytesOf(IP_ADDRESS_BYTES),
    /** Destination address, 16 bytes. */
    destination: field.bytesOf(IP_ADDRESS_BYTES),
  }),
});

/** An IPv6 header, as a value. */
export interface Ipv6 extends ValueOf<typeof IPV6> {}

/** Reads an IPv6 header in place. */
export class Ipv6View extends IPV6.View {
  /** Traffic class, 0..255: DSCP in the high six bits, ECN in the low two. */
  get trafficClass(): number {
    return (this.dscp << 2) | this.ecn;
  }
}

/** An IPv6 header: 40 bytes. */
export const Ipv6 = /* @__PURE__ */ extendHeader(IPV6, {
  /** Reads an IPv6 header in place. */
  View: Ipv6View,
});
