/** What discovery's requests and replies have in common: the IP header around them, of either version. */
import { NO_BYTES, concatBytes, invalidPacket, requireBytes } from '../bytes.js';
import { isIpv4Mapped } from '../ip/ip-address.js';
import { IPV4_BYTES, IPV4_FLAG_DF, IPV4_FLAG_MF, Ipv4View, buildIpv4, computeIpv4Checksum } from '../ip/ipv4.js';
import { IPV6_BYTES, Ipv6View, buildIpv6 } from '../ip/ipv6.js';

/** Hop limit unless stated. */
export const DISCOVERY_HOP_LIMIT = 64;

/** What travels, and between whom. */
export interface IpPacketFields {
  /** 16 bytes. */
  readonly source: Uint8Array;
  /** 16 bytes, of the same family. */
  readonly destination: Uint8Array;
  /** Of what follows the IP header. */
  readonly protocol: number;
  readonly payload: Uint8Array;
  /** IPv4 only. */
  readonly options?: Uint8Array;
  readonly dscp?: number;
  readonly ecn?: number;
  /** TTL in IPv4. */
  readonly hopLimit?: number;
  /** IPv6 only. */
  readonly flowLabel?: number;
  /** IPv4 only. */
  readonly identification?: number;
}

/** An IP header as received, and what it says about the rest. */
export interface ReceivedIp extends Required<Omit<IpPacketFields, 'payload' | 'options'>> {
  readonly family: 4 | 6;
  /** Behind the IP header. */
  readonly payloadOffset: number;
  readonly endOffset: number;
  /** By the IPv4 header; in IPv6 an extension header says so. */
  readonly isFragment: boolean;
}

/**
 * Writes an IP header, IPv4 or IPv6 by its addresses, and what follows it. "Don't fragment" is set, as in RoCEv2.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildIpPacket(packet: IpPacketFields): Uint8Array {
  const { source, destination, protocol, payload, options = NO_BYTES } = packet;
  const { dscp = 0, ecn = 0, hopLimit = DISCOVERY_HOP_LIMIT, flowLabel = 0, identification = 0 } = packet;
  const common = { source, destination, dscp, ecn };
  if (isIpv4Mapped(source)) {
    const totalLength = IPV4_BYTES + options.length + payload.length;
    const fragment = { identification, flags: IPV4_FLAG_DF, fragmentOffset: 0 };
    return concatBytes(buildIpv4({ ...common, ...fragment, ttl: hopLimit, protocol, options, totalLength }), payload);
  }
  const nextHeader = protocol;
  return concatBytes(buildIpv6({ ...common, flowLabel, hopLimit, nextHeader, payloadLength: payload.length }), payload);
}

/**
 * Reads an IP header, and checks that its packet is all there; bytes behind it are not looked at.
 * @param layer for errors.
 * @throws RoceError `invalid-packet`: cut short, or a wrong IPv4 header checksum.
 */
export function readIp(layer: string, bytes: Uint8Array): ReceivedIp {
  requireBytes(layer, bytes, 0, 1);
  if (bytes[0] >> 4 !== 6) return readIpv4(bytes);
  const view = new Ipv6View(bytes);
  const { dscp, ecn, hopLimit, flowLabel, nextHeader: protocol, payloadOffset } = view;
  const endOffset = IPV6_BYTES + view.payloadLength;
  requireBytes(layer, bytes, 0, endOffset);
  const addresses = { source: view.source.slice(), destination: view.destination.slice() };
  const place = { family: 6, payloadOffset, endOffset, isFragment: false, identification: 0 } as const;
  return { ...place, ...addresses, dscp, ecn, hopLimit, flowLabel, protocol };
}

function readIpv4(bytes: Uint8Array): ReceivedIp {
  const view = new Ipv4View(bytes);
  expectIpv4Length(view);
  expectIpv4Checksum(view);
  const { source, destination, dscp, ecn, ttl: hopLimit, identification, protocol, payloadOffset } = view;
  const isFragment = view.fragmentOffset !== 0 || (view.flags & IPV4_FLAG_MF) !== 0;
  const place = { family: 4, payloadOffset, endOffset: view.totalLength, isFragment, flowLabel: 0 } as const;
  return { ...place, source, destination, dscp, ecn, hopLimit, identification, protocol };
}

/** @throws RoceError `invalid-packet` unless the total length covers the header and lies within the bytes. */
function expectIpv4Length({ bytes, offset, totalLength, headerBytes }: Ipv4View): void {
  if (totalLength < headerBytes) {
    const allowed = { min: headerBytes, unit: 'bytes' };
    throw invalidPacket('ipv4 header', offset, 'has a short total length', totalLength, allowed);
  }
  requireBytes('ipv4 datagram', bytes, offset, totalLength);
}

/** @throws RoceError `invalid-packet` unless the header checksum is right (RFC 791, section 3.1). */
function expectIpv4Checksum({ bytes, offset, checksum }: Ipv4View): void {
  const right = computeIpv4Checksum(bytes, offset);
  if (checksum !== right) throw invalidPacket('ipv4 header', offset, 'has a wrong checksum', checksum, right);
}
