/**
 * The internet checksum (RFC 1071): ones' complement of the ones' complement sum of 16-bit words. That of an ICMP
 * message is over the message only (ICMPv4, RFC 792), or over the message and a pseudo-header of addresses, length and
 * next header 58 (ICMPv6, RFC 4443, section 2.3; RFC 8200, section 8.1).
 */
import { readU16, requireLength, requireBytes, requireRecord } from './bytes.js';
import { IP_ADDRESS_BYTES } from './ip/ip-address.js';
import { IpProtocol } from './ip/ip-protocol.js';

/**
 * The plain sum of the 16-bit words between two offsets, an odd last byte padded with zero; the caller has checked
 * both. Exact for any datagram: the sum of 32,768 words is far below 2^53.
 */
export function sumOfWords(bytes: Uint8Array, offset: number, endOffset: number): number {
  let sum = 0;
  for (let at = offset; at + 1 < endOffset; at += 2) sum += readU16(bytes, at);
  return (endOffset - offset) % 2 === 0 ? sum : sum + (bytes[endOffset - 1] << 8);
}

/** @returns the 16-bit checksum for a sum of words. */
export function internetChecksum(sum: number): number {
  let folded = sum;
  while (folded > 0xffff) folded = (folded & 0xffff) + Math.floor(folded / 0x10000);
  return ~folded & 0xffff;
}

/** Offset of the checksum in every ICMP message. */
const ICMP_CHECKSUM = 2;
/** Length of type, code and checksum, with which every ICMP message begins. */
const ICMP_LEAST_BYTES = 4;

/** What an ICMPv6 checksum covers in addition to the message. */
export interface IcmpPseudoHeader {
  /** Source address, 16 bytes. */
  readonly source: Uint8Array;
  /** Destination address, 16 bytes. */
  readonly destination: Uint8Array;
}

/**
 * Computes the checksum of the message between two offsets, regardless of its checksum field. Allocates nothing.
 *
 * @param pseudoHeader for ICMPv6.
 * @throws RoceError `invalid-packet` if there are fewer than 4 bytes, `invalid-argument` for addresses of other than 16
 * bytes.
 */
export function computeIcmpChecksum(bytes: Uint8Array, offset: number, endOffset: number,
  pseudoHeader?: IcmpPseudoHeader): number {
  requireBytes('icmp', bytes, offset, ICMP_LEAST_BYTES, endOffset);
  let sum = sumOfWords(bytes, offset, endOffset) - readU16(bytes, offset + ICMP_CHECKSUM);
  if (pseudoHeader !== undefined) sum += sumOfPseudoHeader(pseudoHeader) + (endOffset - offset) + IpProtocol.ICMPV6;
  return internetChecksum(sum);
}

function sumOfPseudoHeader(header: IcmpPseudoHeader): number {
  requireRecord('pseudoHeader', header);
  const { source, destination } = header;
  requireLength('pseudoHeader.source', source, IP_ADDRESS_BYTES);
  requireLength('pseudoHeader.destination', destination, IP_ADDRESS_BYTES);
  return sumOfWords(source, 0, IP_ADDRESS_BYTES) + sumOfWords(destination, 0, IP_ADDRESS_BYTES);
}
