/**
 * Checksum of ICMP messages: over the message only (ICMPv4, RFC 792), or over the message and a pseudo-header of
 * addresses, length and next header 58 (ICMPv6, RFC 4443, section 2.3; RFC 8200, section 8.1).
 */
import { internetChecksum, sumOfWords } from '../internet-checksum.js';
import { IP_ADDRESS_BYTES } from './ip-address.js';
import { readU16, requireLength, requireBytes, requireRecord } from '../bytes.js';
import { IpProtocol } from './ip-protocol.js';

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
