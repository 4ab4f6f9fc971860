/**
 * UDP header (RFC 768), as RoCEv2 uses it (IBTA Annex A17, section A17.3.2).
 *
 *   0 source port | 2 destination port | 4 length (this header to the ICRC) | 6 checksum
 *
 * RoCEv2 sends checksum 0, even over IPv6, since its packets have an ICRC.
 */
import { readU16, requireBytes, requireLength } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';
import { internetChecksum, sumOfWords } from '../internet-checksum.js';
import { IP_ADDRESS_BYTES, isIpv4Mapped } from './ip-address.js';
import { IpProtocol } from './ip-protocol.js';

/** UDP destination ports. */
export const UdpPort = {
  /** Destination port of RoCEv2 (CA17-20; Fast CNP draft, section 3). */
  ROCE_V2: 4791,
  /**
   * UDP destination port of MRC packets, according to most readings of the specification (docs/reference/sources.md).
   */
  MRC: 4971,
} as const;

const UDP = /* @__PURE__ */ defineHeader({
  title: 'UDP',
  source: 'RFC 768; IBTA Annex A17, section A17.3.2',
  layer: 'udp header',
  where: 'udp',
  fields: (field) => ({
    /** Flow entropy: one value per ordered flow (Annex A17, section A17.9.4). */
    sourcePort: field.bits(16),
    /** 4791 in RoCEv2 (CA17-20). */
    destinationPort: field.bits(16, UdpPort.ROCE_V2),
    /** Length from this header to the end of the payload, bytes. */
    length: field.bits(16),
    /** As received; 0 = none. */
    checksum: field.bits(16, 0),
  }),
});

/** A UDP header, as a value. */
export interface Udp extends ValueOf<typeof UDP> {}

/** A UDP header: 8 bytes. Defaults when written: destination port 4791, checksum 0. */
export const Udp = /* @__PURE__ */ extendHeader(UDP, {
  /**
   * Computes the checksum of a UDP datagram (RFC 768; RFC 8200, section 8.1: with the upper-layer length and next
   * header 17, regardless of extension headers). Its checksum field counts as 0.
   *
   * @param source 16 bytes; IPv4 as IPv4-mapped.
   * @param destination 16 bytes; IPv4 as IPv4-mapped.
   * @param datagram UDP header and payload.
   * @returns 1..65535: a computed 0 is sent as 65535.
   */
  computeChecksum(source: Uint8Array, destination: Uint8Array, datagram: Uint8Array): number {
    requireLength('source', source, IP_ADDRESS_BYTES);
    requireLength('destination', destination, IP_ADDRESS_BYTES);
    requireBytes('udp header', datagram, 0, UDP.lenBytes);
    const from = isIpv4Mapped(source) ? 12 : 0;
    let sum = IpProtocol.UDP + datagram.length - readU16(datagram, UDP_CHECKSUM);
    sum += sumOfWords(source, from, IP_ADDRESS_BYTES) + sumOfWords(destination, from, IP_ADDRESS_BYTES);
    sum += sumOfWords(datagram, 0, datagram.length);
    return internetChecksum(sum) || 0xffff;
  },
});

export const UDP_CHECKSUM = UDP.offsetOf('checksum');
