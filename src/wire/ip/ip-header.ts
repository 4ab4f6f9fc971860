/** IP headers of either version; only this file checks the version. */
import { NO_BYTES } from '../bytes.js';
import { type ExtensionChain, walkExtensionHeaders, Ipv6 } from './ipv6.js';
import { isIpv4Mapped } from './ip-address.js';
import { Ipv4 } from './ipv4.js';

/** Fields common to both versions. */
export interface IpHeader {
  /** 16 bytes; if IPv4-mapped, the destination must be too. */
  readonly source: Uint8Array;
  /** 16 bytes, of the same family. */
  readonly destination: Uint8Array;
  /** DSCP, 0..63. */
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
  /** Offset after the header and its options. */
  readonly payloadOffset: number;
  /** End of the packet according to its header; a truncated capture may end earlier. */
  readonly endOffset: number;
  /** Whether it is a fragment: from the IPv4 header, or an IPv6 extension header. */
  readonly isFragment: boolean;
}

/**
 * Reads an IP header. Lengths and checksum are returned unchecked. @throws RoceError `invalid-packet` if there is no IP
 * header.
 */
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

/** Reads the chain of headers after the IP header. @throws RoceError like `walkExtensionHeaders`. */
export function upperLayerOf(bytes: Uint8Array,
  { ipVersion, protocol, payloadOffset, endOffset }: LocatedIp): ExtensionChain {
  if (ipVersion === 6) return walkExtensionHeaders(bytes, protocol, payloadOffset, endOffset);
  return { headers: [], upperProtocol: protocol, upperOffset: payloadOffset };
}

/**
 * Writes an IP header, IPv4 or IPv6 by its addresses. "Don't fragment" is set, as in RoCEv2.
 * @param options IPv4 options.
 * @returns the offset after it.
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

/** Length of the header without options, bytes. */
export function ipHeaderBytes({ source }: Pick<IpHeader, 'source'>): number {
  return isIpv4Mapped(source) ? Ipv4.lenBytes : Ipv6.lenBytes;
}
