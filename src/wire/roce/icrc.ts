/**
 * Invariant CRC of RoCEv2 (IBTA Annex A17, section A17.3.3; IBTA volume 1, section 7.8.1).
 *
 * Role      tells whether a packet is what its sender sent, apart from the fields that change on the way.
 * Input     64 one-bits in the place of an LRH, then the IP datagram up to the ICRC, with these fields as ones:
 *           IPv4 type of service, TTL, header checksum; IPv6 traffic class, flow label, hop limit; UDP checksum;
 *           the BTH's octet 4 (FECN, BECN, reserved).
 * Equation  CRC-32 as Ethernet's: polynomial 0x04C11DB7, reflected, initial and final complement.
 * Wire      four octets, least significant first.
 * Method    slicing-by-8: eight tables of 256 words, eight octets per step. After the 64 ones the register is
 *           0xDEBB20E3, where every computation starts.
 *
 * IPv6 extension headers: no document says whether they count; Annex A17 forbids them (CA17-16), the Fast CNP draft is
 * silent. So the answer is a policy.
 */
import {
  invalidPacket, readU16, requireChoice, requireField, requireOctets, requireTarget, writeU16,
} from '../octets.js';
import { BTH_BYTES, BTH_FECN_BECN } from './bth.js';
import { IPV4_CHECKSUM, IPV4_PROTOCOL, IPV4_TRAFFIC_CLASS, IPV4_TTL, Ipv4View } from '../ip/ipv4.js';
import { IPV6_BYTES, IPV6_HOP_LIMIT, IPV6_NEXT_HEADER, IPV6_PAYLOAD_LENGTH, Ipv6View } from '../ip/ipv6.js';
import { walkExtensionHeaders } from '../ip/ipv6-options.js';
import { PROTOCOL_UDP, UDP_BYTES, UDP_CHECKSUM, UDP_LENGTH } from '../ip/udp.js';

export const ICRC_BYTES = 4;

/**
 * Which octets count when extension headers stand before the UDP header. `literal`: all, as they are (the default).
 * `omit`: extension headers left out, IPv6 header as sent. `normalise`: left out, and the IPv6 header as if they had
 * never been there: next header 17, payload length = UDP length. Without extension headers all three are one.
 */
export type IcrcPolicy = (typeof ICRC_POLICIES)[number];

const ICRC_POLICIES = ['literal', 'omit', 'normalise'] as const;

const REGISTER_AFTER_ONES = 0xdebb20e3;
const POLYNOMIAL_REFLECTED = 0xedb88320;

/**
 * The ICRC of a datagram.
 *
 * @param datagram first IP octet to the last octet before the ICRC.
 * @returns 32 bits, unsigned; `writeIcrc` puts them on the wire.
 * @throws RoceError `INVALID_PACKET` when there is no IP, UDP or BTH header to mask, `INVALID_ARGUMENT` for another
 * policy.
 */
export function computeIcrc(datagram: Uint8Array, policy: IcrcPolicy = 'literal'): number {
  requireChoice('icrcPolicy', policy, ICRC_POLICIES);
  const { masked, bodyOffset } = maskHeaders(datagram, policy);
  let register = updateCrc(REGISTER_AFTER_ONES, masked, 0);
  register = updateCrc(register, datagram, bodyOffset);
  return ~register >>> 0;
}

/** The ICRC at `offset`, as `computeIcrc` returns it. */
export function readIcrc(bytes: Uint8Array, offset: number): number {
  requireOctets('icrc', bytes, offset, ICRC_BYTES);
  return (bytes[offset] | (bytes[offset + 1] << 8) | (bytes[offset + 2] << 16) | (bytes[offset + 3] << 24)) >>> 0;
}

/** Writes an ICRC, least significant octet first. @returns the offset behind it. */
export function writeIcrc(target: Uint8Array, offset: number, icrc: number): number {
  requireField('icrc', icrc, 0xffffffff);
  requireTarget('icrc', target, offset, ICRC_BYTES);
  for (let i = 0; i < ICRC_BYTES; i++) target[offset + i] = icrc >>> (8 * i);
  return offset + ICRC_BYTES;
}

/**
 * Does the ICRC at the end of a datagram agree with the rest of it?
 *
 * @param packet first IP octet to the last octet of the ICRC.
 * @throws RoceError `INVALID_PACKET` as `computeIcrc`.
 */
export function isIcrcRight(packet: Uint8Array, policy: IcrcPolicy = 'literal'): boolean {
  const icrcOffset = packet.length - ICRC_BYTES;
  return readIcrc(packet, icrcOffset) === computeIcrc(packet.subarray(0, icrcOffset), policy);
}

interface MaskedHeaders {
  /** IP header to BTH as the CRC sees them. */
  readonly masked: Uint8Array;
  /** Behind the BTH in the datagram. */
  readonly bodyOffset: number;
}

function maskHeaders(datagram: Uint8Array, policy: IcrcPolicy): MaskedHeaders {
  requireOctets('ip header', datagram, 0, 1);
  return datagram[0] >> 4 === 4 ? maskIpv4(datagram) : maskIpv6(datagram, policy);
}

function maskIpv4(datagram: Uint8Array): MaskedHeaders {
  const { headerBytes, protocol } = new Ipv4View(datagram);
  if (protocol !== PROTOCOL_UDP) throw noUdp(IPV4_PROTOCOL, protocol);
  const masked = copyHeaders(datagram, headerBytes);
  masked[IPV4_TRAFFIC_CLASS] = 0xff;
  masked[IPV4_TTL] = 0xff;
  writeU16(masked, IPV4_CHECKSUM, 0xffff);
  maskTransport(masked, headerBytes);
  return { masked, bodyOffset: masked.length };
}

function maskIpv6(datagram: Uint8Array, policy: IcrcPolicy): MaskedHeaders {
  const { nextHeader } = new Ipv6View(datagram);
  const { upperOffset, upperProtocol } = walkExtensionHeaders(datagram, nextHeader, IPV6_BYTES, datagram.length);
  if (upperProtocol !== PROTOCOL_UDP) throw noUdp(upperOffset, upperProtocol);
  const headers = copyHeaders(datagram, upperOffset);
  const bodyOffset = headers.length;
  const masked = policy === 'literal' ? headers : withoutExtensions(headers, upperOffset);
  const udpOffset = policy === 'literal' ? upperOffset : IPV6_BYTES;
  if (policy === 'normalise') {
    masked[IPV6_NEXT_HEADER] = PROTOCOL_UDP;
    writeU16(masked, IPV6_PAYLOAD_LENGTH, readU16(masked, udpOffset + UDP_LENGTH));
  }
  masked[0] |= 0x0f;
  masked.fill(0xff, 1, IPV6_PAYLOAD_LENGTH);
  masked[IPV6_HOP_LIMIT] = 0xff;
  maskTransport(masked, udpOffset);
  return { masked, bodyOffset };
}

/** A copy of everything from the IP header to the BTH. */
function copyHeaders(datagram: Uint8Array, udpOffset: number): Uint8Array {
  requireOctets('udp header', datagram, udpOffset, UDP_BYTES);
  requireOctets('bth', datagram, udpOffset + UDP_BYTES, BTH_BYTES);
  return datagram.slice(0, udpOffset + UDP_BYTES + BTH_BYTES);
}

function withoutExtensions(headers: Uint8Array, udpOffset: number): Uint8Array {
  const masked = new Uint8Array(IPV6_BYTES + UDP_BYTES + BTH_BYTES);
  masked.set(headers.subarray(0, IPV6_BYTES));
  masked.set(headers.subarray(udpOffset), IPV6_BYTES);
  return masked;
}

function maskTransport(masked: Uint8Array, udpOffset: number): void {
  writeU16(masked, udpOffset + UDP_CHECKSUM, 0xffff);
  masked[udpOffset + UDP_BYTES + BTH_FECN_BECN] = 0xff;
}

function noUdp(offset: number, protocol: number): Error {
  return invalidPacket('ip header', offset, 'leads to no UDP header', protocol, `${PROTOCOL_UDP}`);
}

/** Eight tables of 256 words; word i of table k is what octet i does to the register k octets later. */
let crcTables: Int32Array | undefined;

function makeCrcTables(): Int32Array {
  const tables = new Int32Array(8 * 256);
  for (let octet = 0; octet < 256; octet++) {
    let register = octet;
    for (let bit = 0; bit < 8; bit++) register = (register >>> 1) ^ (register & 1 ? POLYNOMIAL_REFLECTED : 0);
    tables[octet] = register;
  }
  for (let i = 256; i < tables.length; i++) {
    const before = tables[i - 256];
    tables[i] = (before >>> 8) ^ tables[before & 255];
  }
  return tables;
}

/** Lets the octets from `start` to the end run through the register. */
function updateCrc(register: number, bytes: Uint8Array, start: number): number {
  const t = (crcTables ??= makeCrcTables());
  let crc = register;
  let at = start;
  for (; at + 8 <= bytes.length; at += 8) {
    const low = crc ^ (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24));
    crc =
      t[1792 + (low & 255)] ^ t[1536 + ((low >>> 8) & 255)] ^ t[1280 + ((low >>> 16) & 255)] ^ t[1024 + (low >>> 24)] ^
      t[768 + bytes[at + 4]] ^ t[512 + bytes[at + 5]] ^ t[256 + bytes[at + 6]] ^ t[bytes[at + 7]];
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ t[(crc ^ bytes[at]) & 255];
  return crc;
}
