/**
 * UDP header (RFC 768), as RoCEv2 uses it (IBTA Annex A17, section A17.3.2).
 *
 *   0 source port | 2 destination port | 4 length (this header to the ICRC) | 6 checksum
 *
 * RoCEv2 sends checksum 0, over IPv6 too: its packets carry the ICRC.
 */
import { readU16, requireBytes, requireLength } from '../bytes.js';
import { internetChecksum, sumOfWords } from '../internet-checksum.js';
import { IP_ADDRESS_BYTES, isIpv4Mapped } from './ip-address.js';
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

/** Destination port of RoCEv2 (CA17-20; Fast CNP draft, section 3). */
export const ROCE_V2_PORT = 4791;
/** Protocol number, and IPv6 next header. */
export const PROTOCOL_UDP = 17;

export const UDP = /* @__PURE__ */ defineHeader({
  title: 'UDP',
  source: 'RFC 768; IBTA Annex A17, section A17.3.2',
  layer: 'udp header',
  where: 'udp',
  fields: (field) => ({
    /** Flow entropy: one value per ordered flow (Annex A17, section A17.9.4). */
    sourcePort: field.bits(16),
    /** 4791 in RoCEv2 (CA17-20). */
    destinationPort: field.bits(16, ROCE_V2_PORT),
    /** Bytes, this header to the end of the payload. */
    length: field.bits(16),
    /** As on the wire; 0 = none. */
    checksum: field.bits(16, 0),
  }),
});

/** Length of the header: 8 bytes. */
export const UDP_BYTES = UDP.bytes;
/** The drawing of docs/wire.md. */
export const UDP_LAYOUT = UDP.layout;

/** A UDP header, as a value. */
export interface UdpHeader extends HeaderValue<typeof UDP> {}

/** Input of `buildUdp`: destination port 4791 and checksum 0 unless stated. */
export interface UdpFields extends HeaderFields<typeof UDP> {}

/** Reads a UDP header in place. */
export class UdpView extends UDP.View {}

/** Reads a UDP header; the inverse of `buildUdp`. @throws RoceError `invalid-packet` when the bytes end inside it. */
export const parseUdp: ParseHeader<UdpHeader> = UDP.parse;
/** Writes a UDP header. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildUdp: BuildHeader<UdpFields> = UDP.build;
/** As `buildUdp`, into `target`. @returns the offset behind the header. */
export const buildUdpInto: BuildHeaderInto<UdpFields> = UDP.buildInto;

export const UDP_CHECKSUM = UDP.offsetOf('checksum');

/**
 * The checksum that a UDP datagram should have, if it is to have one (RFC 768; RFC 8200, section 8.1: the upper-layer
 * length and next header 17, whatever the extension headers). The checksum field itself counts as 0.
 *
 * @param source 16 bytes; IPv4 as IPv4-mapped.
 * @param destination as `source`.
 * @param datagram UDP header and payload.
 * @returns 1..65535: a computed 0 is sent as 65535.
 */
export function computeUdpChecksum(source: Uint8Array, destination: Uint8Array, datagram: Uint8Array): number {
  requireLength('source', source, IP_ADDRESS_BYTES);
  requireLength('destination', destination, IP_ADDRESS_BYTES);
  requireBytes('udp header', datagram, 0, UDP_BYTES);
  const from = isIpv4Mapped(source) ? 12 : 0;
  let sum = PROTOCOL_UDP + datagram.length - readU16(datagram, UDP_CHECKSUM);
  sum += sumOfWords(source, from, IP_ADDRESS_BYTES) + sumOfWords(destination, from, IP_ADDRESS_BYTES);
  sum += sumOfWords(datagram, 0, datagram.length);
  return internetChecksum(sum) || 0xffff;
}
