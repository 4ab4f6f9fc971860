/**
 * Recognises trimmed packets, whose length fields may be the original ones: by the DSCP of the outermost IP-in-IP header,
 * and by the headers after IP, which are found without checks of lengths. Finds the end of a datagram, trimmed or not.
 */
import { WHY_UDP_LENGTH } from '../abi/codes.js';
import { readU16 } from '../wire/bytes.js';
import { ExtensionHeader, Ipv6 } from '../wire/ip/ipv6.js';
import { IpProtocol } from '../wire/ip/ip-protocol.js';
import { Ipv4 } from '../wire/ip/ipv4.js';
import { Udp } from '../wire/ip/udp.js';
import type { MrcDscpMap } from '../wire/mrc/ip-fields.js';
import type { Dissection } from './dissection.js';
import { LAYER_UDP } from './layer-kinds.js';
import { PROTOCOL_IPV4, PROTOCOL_IPV6 } from './tunnel-numbers.js';

const IPV4_FLAGS_FRAGMENT = Ipv4.offsetOf('flags');
const IPV4_PROTOCOL = Ipv4.offsetOf('protocol');
const IPV6_NEXT_HEADER = Ipv6.offsetOf('nextHeader');
const UDP_LENGTH = Udp.offsetOf('length');
const FRAGMENT_OFFSET_MASK = 0x1fff;

/** Whether the outermost IP-in-IP header has a DSCP of trimmed packets. */
export function isTrimmedClass({ carrierTrafficClass }: Dissection, dscps: MrcDscpMap): boolean {
  const name = dscps.get(carrierTrafficClass >> 2);
  return name === 'TRIMMED' || name === 'TRIMMED_LASTHOP';
}

/**
 * Follows the IP headers from `ipOffset` on to a protocol.
 * @returns the offset of its header, captured or not; 0 if they lead elsewhere.
 */
export function offsetBehindIp(d: Dissection, ipOffset: number, ipVersion: number, protocol: number): number {
  let at = ipOffset;
  let version = ipVersion;
  for (;;) {
    const field = version === 4 ? at + IPV4_PROTOCOL : lastNextHeader(d, at);
    const upper = version === 4 ? behindIpv4(d, at) : behindField(d, at, field);
    if (upper === 0 || upper > d.capturedEnd) return 0;
    const next = d.bytes[field];
    if (next === protocol) return upper;
    if ((next !== PROTOCOL_IPV4 && next !== PROTOCOL_IPV6) || upper >= d.capturedEnd) return 0;
    at = upper;
    version = d.bytes[at] >> 4;
    if (version !== (next === PROTOCOL_IPV4 ? 4 : 6)) return 0;
  }
}

/** @returns the offset after an IPv4 header; 0 for a later fragment or an invalid header. */
function behindIpv4({ bytes }: Dissection, at: number): number {
  const headerBytes = (bytes[at] & 15) * 4;
  const isLater = (readU16(bytes, at + IPV4_FLAGS_FRAGMENT) & FRAGMENT_OFFSET_MASK) !== 0;
  return headerBytes < Ipv4.lenBytes || isLater ? 0 : at + headerBytes;
}

/**
 * @returns the offset of the next-header field that names the protocol after an IPv6 header and its options and routing
 * headers.
 */
function lastNextHeader(d: Dissection, at: number): number {
  let field = at + IPV6_NEXT_HEADER;
  while (isSkipped(d.bytes[field])) {
    const header = behindField(d, at, field);
    if (header + ExtensionHeader.UNIT_BYTES > d.capturedEnd) break;
    field = header;
  }
  return field;
}

/**
 * @returns the offset of the header that a next-header field announces; the field is in the IPv6 header, or the first
 * byte of an extension header.
 */
function behindField({ bytes }: Dissection, ipOffset: number, field: number): number {
  if (field === ipOffset + IPV6_NEXT_HEADER) return ipOffset + Ipv6.lenBytes;
  return field + (bytes[field + 1] + 1) * ExtensionHeader.UNIT_BYTES;
}

function isSkipped(next: number): boolean {
  return next === IpProtocol.ROUTING || next === IpProtocol.HOP_BY_HOP || next === IpProtocol.DESTINATION_OPTIONS;
}

/** Whether the UDP length fits the datagram, which ends at `datagramEnd` according to the headers around it. */
export function isInside({ bytes }: Dissection, udpOffset: number, datagramEnd: number): boolean {
  const length = readU16(bytes, udpOffset + UDP_LENGTH);
  return length >= Udp.lenBytes && udpOffset + length <= datagramEnd;
}

/** End of a datagram according to UDP; a length that does not fit is trouble, unless the packet is trimmed. */
export function endOfDatagram(d: Dissection, udpOffset: number, datagramEnd: number, isTrimmed: boolean): number {
  const length = readU16(d.bytes, udpOffset + UDP_LENGTH);
  const isRight = isInside(d, udpOffset, datagramEnd);
  const end = isRight ? udpOffset + length : datagramEnd;
  if (isTrimmed) return endOfTrimmed(d, end);
  if (!isRight) {
    d.fail(LAYER_UDP, udpOffset, Math.max(length, Udp.lenBytes), Math.min(length, datagramEnd - udpOffset),
      WHY_UDP_LENGTH);
  }
  return end;
}

/** A trimmed packet that keeps its original length ends with its frame, which may be longer than the captured part. */
export function endOfTrimmed({ bytes, capturedEnd, originalBytes }: Dissection, endOffset: number): number {
  return originalBytes > bytes.length ? endOffset : Math.min(endOffset, capturedEnd);
}
