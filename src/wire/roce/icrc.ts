/**
 * Invariant CRC of RoCEv2 (IBTA Annex A17, section A17.3.3; IBTA volume 1, section 7.8.1).
 *
 * Role      detects changes to a packet in transit, apart from the fields that routers modify.
 * Input     64 one-bits for the missing LRH, then the IP datagram up to the ICRC, with these fields as ones:
 *           IPv4 type of service, TTL, header checksum; IPv6 traffic class, flow label, hop limit; UDP checksum;
 *           the BTH's byte 4 (FECN, BECN, reserved).
 * Equation  CRC-32 of Ethernet: polynomial 0x04C11DB7, reflected, initial and final complement.
 * Wire      four bytes, least significant first.
 * Method    each header is copied, masked and added to the CRC. The computation starts with the register after the 64
 * ones, 0xDEBB20E3.
 *
 * No document specifies whether the ICRC covers IPv6 extension headers: Annex A17 forbids them (CA17-16), the Fast CNP
 * draft does not mention it. So this is an option, `IcrcPolicy`.
 */
import { invalidPacket, lengthOf, requireBytes, requireChoice, requireField, requireTarget,
  writeU16 } from '../bytes.js';
import { IpProtocol } from '../ip/ip-protocol.js';
import { Ipv4 } from '../ip/ipv4.js';
import { Ipv6, walkExtensionHeaders } from '../ip/ipv6.js';
import { UDP_CHECKSUM, Udp } from '../ip/udp.js';
import { Bth } from './bth.js';
import { updateCrc32 } from './crc32.js';

/** The invariant CRC at the end of a RoCEv2 packet. */
export const Icrc = {
  /** Length of the ICRC: 4 bytes (Annex A17, section A17.3.3). */
  lenBytes: 4,
  /**
   * Computes the ICRC of a datagram.
   *
   * @param datagram first IP byte to the last byte before the ICRC.
   * @returns 32 bits, unsigned; `Icrc.write` writes them.
   * @throws RoceError `invalid-packet` if there is no IP, UDP or BTH header to mask, `invalid-argument` for an unknown
   * policy.
   */
  compute(datagram: Uint8Array, policy: IcrcPolicy = 'literal'): number {
    return Icrc.computeAt(datagram, 0, findUdp(datagram), datagram.length, policy);
  },
  /**
   * Like `Icrc.compute`, for a packet with known header offsets. Allocates nothing except, for long packets, one view.
   *
   * @param udpOffset of the UDP header after the IP header at `ipOffset` and its extension headers.
   * @param icrcOffset end of the covered bytes.
   */
  computeAt(bytes: Uint8Array, ipOffset: number, udpOffset: number, icrcOffset: number,
    policy: IcrcPolicy = 'literal'): number {
    requireChoice('icrcPolicy', policy, ICRC_POLICIES);
    requireField('udpOffset', udpOffset, lengthOf('bytes', bytes));
    requireField('icrcOffset', icrcOffset, bytes.length);
    requireBytes('ip header', bytes, ipOffset, 1);
    requireBytes('bth', bytes, udpOffset + Udp.lenBytes, Bth.lenBytes, icrcOffset);
    requireBytes('icrc', bytes, icrcOffset, 0);
    const isIpv4 = bytes[ipOffset] >> 4 === 4;
    let register = isIpv4 ?
      afterIpv4(bytes, ipOffset, udpOffset) :
      afterIpv6(bytes, ipOffset, udpOffset, icrcOffset, policy);
    register = afterTransport(register, bytes, udpOffset);
    register = updateCrc32(register, bytes, udpOffset + Udp.lenBytes + Bth.lenBytes, icrcOffset);
    return ~register >>> 0;
  },
  /**
   * Whether the ICRC at the end of a datagram is correct.
   *
   * @param packet first IP byte to the last byte of the ICRC.
   * @throws RoceError `invalid-packet` like `Icrc.compute`.
   */
  isRight(packet: Uint8Array, policy: IcrcPolicy = 'literal'): boolean {
    const icrcOffset = lengthOf('packet', packet) - Icrc.lenBytes;
    return Icrc.read(packet, icrcOffset) === Icrc.compute(packet.subarray(0, icrcOffset), policy);
  },
  /** Reads the ICRC at `offset`, in the form of `Icrc.compute`. */
  read(bytes: Uint8Array, offset: number): number {
    requireBytes('icrc', bytes, offset, Icrc.lenBytes);
    return (bytes[offset] | (bytes[offset + 1] << 8) | (bytes[offset + 2] << 16) | (bytes[offset + 3] << 24)) >>> 0;
  },
  /** Writes an ICRC, least significant byte first. @returns the offset after it. */
  write(target: Uint8Array, offset: number, icrc: number): number {
    requireField('icrc', icrc, 0xffffffff);
    requireTarget('icrc', target, offset, Icrc.lenBytes);
    for (let i = 0; i < Icrc.lenBytes; i++) target[offset + i] = icrc >>> (8 * i);
    return offset + Icrc.lenBytes;
  },
} as const;

const IPV4_TRAFFIC_CLASS = Ipv4.offsetOf('dscp');
const IPV4_TTL = Ipv4.offsetOf('ttl');
const IPV4_PROTOCOL = Ipv4.offsetOf('protocol');
const IPV4_CHECKSUM = Ipv4.offsetOf('checksum');
const IPV6_PAYLOAD_LENGTH = Ipv6.offsetOf('payloadLength');
const IPV6_NEXT_HEADER = Ipv6.offsetOf('nextHeader');
const IPV6_HOP_LIMIT = Ipv6.offsetOf('hopLimit');

/**
 * Which bytes the ICRC covers if extension headers precede the UDP header. `literal` (default): all, as sent. `omit`:
 * without extension headers, IPv6 header as sent. `normalise`: without them, and with the IPv6 header as if they had
 * not been there: next header 17, payload length = UDP length. Without extension headers all three are equal.
 */
export type IcrcPolicy = (typeof ICRC_POLICIES)[number];

const ICRC_POLICIES = ['literal', 'omit', 'normalise'] as const;

/** Offset of the byte with FECN, BECN and six reserved bits. */
const BTH_FECN_BECN = Bth.offsetOf('fecn');
/** The register after the 64 ones for the missing LRH. */
export const REGISTER_AFTER_ONES = 0xdebb20e3;
/** Maximum header length: IHL counts 4-byte words in four bits. */
const IPV4_LONGEST_BYTES = 60;

function findUdp(datagram: Uint8Array): number {
  requireBytes('ip header', datagram, 0, 1);
  if (datagram[0] >> 4 === 4) {
    const { headerBytes, protocol } = new Ipv4.View(datagram);
    if (protocol !== IpProtocol.UDP) throw noUdp(IPV4_PROTOCOL, protocol);
    requireBytes('udp header', datagram, headerBytes, Udp.lenBytes);
    return headerBytes;
  }
  const { nextHeader } = new Ipv6.View(datagram);
  const { upperOffset, upperProtocol } = walkExtensionHeaders(datagram, nextHeader, Ipv6.lenBytes, datagram.length);
  if (upperProtocol !== IpProtocol.UDP) throw noUdp(upperOffset, upperProtocol);
  requireBytes('udp header', datagram, upperOffset, Udp.lenBytes);
  return upperOffset;
}

/** Buffer for one masked header at a time. */
let scratch: Uint8Array | undefined;

/** Copies a header to be masked; byte by byte, since `subarray` would allocate an object. */
function copyToScratch(bytes: Uint8Array, start: number, length: number): Uint8Array {
  const copy = (scratch ??= new Uint8Array(IPV4_LONGEST_BYTES));
  for (let i = 0; i < length; i++) copy[i] = bytes[start + i];
  return copy;
}

function afterIpv4(bytes: Uint8Array, ipOffset: number, udpOffset: number): number {
  const headerBytes = Math.min(udpOffset - ipOffset, IPV4_LONGEST_BYTES);
  const masked = copyToScratch(bytes, ipOffset, headerBytes);
  masked[IPV4_TRAFFIC_CLASS] = 0xff;
  masked[IPV4_TTL] = 0xff;
  writeU16(masked, IPV4_CHECKSUM, 0xffff);
  return updateCrc32(REGISTER_AFTER_ONES, masked, 0, headerBytes);
}

function afterIpv6(bytes: Uint8Array, ipOffset: number, udpOffset: number, icrcOffset: number,
  policy: IcrcPolicy): number {
  const extensionsOffset = ipOffset + Ipv6.lenBytes;
  const masked = copyToScratch(bytes, ipOffset, Ipv6.lenBytes);
  if (policy === 'normalise' && udpOffset > extensionsOffset) {
    masked[IPV6_NEXT_HEADER] = IpProtocol.UDP;
    writeU16(masked, IPV6_PAYLOAD_LENGTH, icrcOffset + Icrc.lenBytes - udpOffset);
  }
  masked[0] |= 0x0f;
  masked[1] = 0xff;
  masked[2] = 0xff;
  masked[3] = 0xff;
  masked[IPV6_HOP_LIMIT] = 0xff;
  const register = updateCrc32(REGISTER_AFTER_ONES, masked, 0, Ipv6.lenBytes);
  return policy === 'literal' ? updateCrc32(register, bytes, extensionsOffset, udpOffset) : register;
}

function afterTransport(register: number, bytes: Uint8Array, udpOffset: number): number {
  const masked = copyToScratch(bytes, udpOffset, Udp.lenBytes + Bth.lenBytes);
  writeU16(masked, UDP_CHECKSUM, 0xffff);
  masked[Udp.lenBytes + BTH_FECN_BECN] = 0xff;
  return updateCrc32(register, masked, 0, Udp.lenBytes + Bth.lenBytes);
}

function noUdp(offset: number, protocol: number): Error {
  return invalidPacket('ip header', offset, 'is not followed by a UDP header', protocol, IpProtocol.UDP);
}
