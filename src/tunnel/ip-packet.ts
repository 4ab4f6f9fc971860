/**
 * Reads an IP packet's length, DSCP and ECN, and rewrites DSCP and ECN in place.
 *
 * An IPv4 checksum is updated, not recomputed (RFC 1624, equation 3): an incorrect one remains incorrect.
 */
import type { ViewOf } from '../wire/header/define-header.js';
import { IP_ADDRESS_BYTES } from '../wire/ip/ip-address.js';
import { Ipv4 } from '../wire/ip/ipv4.js';
import { Ipv6 } from '../wire/ip/ipv6.js';
import { invalidPacket, readU16, requireField, requireBytes, writeU16 } from '../wire/bytes.js';

const IPV4_CHECKSUM = Ipv4.offsetOf('checksum');
const IPV4_TRAFFIC_CLASS = Ipv4.offsetOf('dscp');

/** What a tunnel needs from a packet. */
export interface IpPacketSummary {
  readonly version: 4 | 6;
  /** Length of the packet according to its header. */
  readonly lenBytes: number;
  readonly dscp: number;
  readonly ecn: number;
  /** Flow label; 0 for IPv4. */
  readonly flowLabel: number;
}

/**
 * Reads what a tunnel needs from the packet at `offset`.
 * @throws RoceError `invalid-packet`: neither IPv4 nor IPv6, truncated within its header, or a length below the
 * header's.
 */
export function summariseIpPacket(bytes: Uint8Array, offset: number): IpPacketSummary {
  requireBytes('ip header', bytes, offset, 1);
  const version = bytes[offset] >> 4;
  if (version === 4) return summariseIpv4(new Ipv4.View(bytes, offset));
  if (version === 6) return summariseIpv6(new Ipv6.View(bytes, offset));
  throw invalidPacket('ip header', offset, 'has another version', version, '4 or 6');
}

/**
 * Rewrites DSCP and ECN of the packet at `offset`, and updates an IPv4 checksum.
 * @throws RoceError `invalid-packet` like `summariseIpPacket`; `invalid-argument` for values out of range.
 */
export function setTrafficClass(bytes: Uint8Array, offset: number, dscp: number, ecn: number): void {
  requireField('ip.dscp', dscp, 63);
  requireField('ip.ecn', ecn, 3);
  const trafficClass = (dscp << 2) | ecn;
  if (summariseIpPacket(bytes, offset).version === 6) {
    bytes[offset] = 0x60 | (trafficClass >> 4);
    bytes[offset + 1] = ((trafficClass & 15) << 4) | (bytes[offset + 1] & 15);
    return;
  }
  // Version and traffic class share a 16-bit word of the checksum; only the traffic class changes.
  const delta = trafficClass - bytes[offset + IPV4_TRAFFIC_CLASS];
  if (delta === 0) return;
  bytes[offset + IPV4_TRAFFIC_CLASS] = trafficClass;
  const sum = (~readU16(bytes, offset + IPV4_CHECKSUM) & 0xffff) + (delta < 0 ? delta + 0xffff : delta);
  writeU16(bytes, offset + IPV4_CHECKSUM, ~((sum & 0xffff) + (sum >>> 16)));
}

/** @returns whether it is an address of a single node: 16 bytes, neither multicast (ff00::/8) nor unspecified. */
export function isUnicastAddress(value: unknown): value is Uint8Array {
  if (!(value instanceof Uint8Array) || value.length !== IP_ADDRESS_BYTES) return false;
  return value[0] !== 0xff && value.some((byte) => byte !== 0);
}

function summariseIpv4(view: ViewOf<typeof Ipv4>): IpPacketSummary {
  const { dscp, ecn, totalLength, headerBytes, offset } = view;
  if (totalLength < headerBytes) {
    throw invalidPacket('ipv4 header', offset, 'has a short total length', totalLength, `at least ${headerBytes}`);
  }
  return { version: 4, lenBytes: totalLength, dscp, ecn, flowLabel: 0 };
}

function summariseIpv6({ dscp, ecn, payloadLength, flowLabel }: ViewOf<typeof Ipv6>): IpPacketSummary {
  return { version: 6, lenBytes: Ipv6.lenBytes + payloadLength, dscp, ecn, flowLabel };
}
