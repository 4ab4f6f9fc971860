/** The IP header of a packet, of either version; the version is checked here only. */
import { NO_BYTES } from '../bytes.js';
import { type ExtensionChain, walkExtensionHeaders } from './extension-header.js';
import { isIpv4Mapped } from './ip-address.js';
import { Ipv4 } from './ipv4.js';
import { Ipv6 } from './ipv6.js';

/** Fields common to both versions. */
export interface IpHeader {
  /** 16 bytes; IPv4-mapped for IPv4, then the destination too. */
  readonly source: Uint8Array;
  /** 16 bytes, of the same family. */
  readonly destination: Uint8Array;
  /** 0..63. */
  readonly dscp: number;
  /** 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE. */
  readonly ecn: number;
  /** IPv6 hop limit or IPv4 TTL, 0..255. */
  readonly hopLimit: number;
  /** IPv6 only: 20 bits; 0 in IPv4. */
  readonly flowLabel: number;
  /** IPv4 only: 16 bits; 0 in IPv6. */
  readonly identification: number;
  /** IP protocol (next header) of the payload. */
  readonly protocol: number;
}

/** An IP header in place. */
export interface LocatedIp extends IpHeader {
  readonly ipVersion: 4 | 6;
  /** Behind the header, and its options. */
  readonly payloadOffset: number;
  /** End of the packet, from its header; a truncated capture may end before. */
  readonly endOffset: number;
  /** From the IPv4 header; in IPv6, from an extension header. */
  readonly isFragment: boolean;
}

/** Reads an IP header. Lengths and checksum are reported, not judged. @throws RoceError `invalid-packet` for no header. */
export function locateIp(bytes: Uint8Array, offset: number): LocatedIp {
  if (bytes[offset] >> 4 === 4) {
    const view = new Ipv4.View(bytes, offset);
    const { source, destination, dscp, ecn, ttl: hopLimit, identification, protocol, payloadOffset } = view;
    const isFragment = view.fragmentOffset !== 0 || (view.flags & Ipv4.FLAG_MF) !== 0;
    const place = { ipVersion: 4, payloadOffset, endOffset: offset + view.totalLength, isFragment } as const;
    return { ...place, source, destination, dscp, ecn, hopLimit, flowLabel: 0, identification, protocol };
  }
  const view = new Ipv6.View(bytes, offset);
  const { dscp, ecn, hopLimit, flowLabel, nextHeader: protocol, payloadOffset } = view;
  const addresses = { source: view.source.slice(), destination: view.destination.slice() };
  const endOffset = payloadOffset + view.payloadLength;
  const place = { ipVersion: 6, payloadOffset, endOffset, isFragment: false } as const;
  return { ...place, ...addresses, dscp, ecn, hopLimit, flowLabel, identification: 0, protocol };
}

/** Reads the chain behind the IP header, extension headers included. @throws RoceError as `walkExtensionHeaders`. */
export function upperLayerOf(bytes: Uint8Array,
  { ipVersion, protocol, payloadOffset, endOffset }: LocatedIp): ExtensionChain {
  if (ipVersion === 6) return walkExtensionHeaders(bytes, protocol, payloadOffset, endOffset);
  return { headers: [], upperProtocol: protocol, upperOffset: payloadOffset };
}

/**
 * Writes an IP header, IPv4 or IPv6 by its addresses. "Don't fragment" is set, as in RoCEv2.
 * @param options of IPv4.
 * @returns the offset behind it.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildIpInto(target: Uint8Array, offset: number, header: IpHeader, payloadLength: number,
  options = NO_BYTES): number {
  const { hopLimit, protocol } = header;
  if (!isIpv4Mapped(header.source)) {
    return Ipv6.writeInto(target, offset, { ...header, nextHeader: protocol, payloadLength });
  }
  const totalLength = Ipv4.lenBytes + options.length + payloadLength;
  const fixed = { flags: Ipv4.FLAG_DF, fragmentOffset: 0, ttl: hopLimit };
  return Ipv4.writeInto(target, offset, { ...header, ...fixed, options, totalLength });
}

/** Bytes of the header, without options. */
export function ipHeaderBytes({ source }: Pick<IpHeader, 'source'>): number {
  return isIpv4Mapped(source) ? Ipv4.lenBytes : Ipv6.lenBytes;
}
