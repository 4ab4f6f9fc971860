/**
 * A whole RoCEv2 frame: link header, IP, one optional extension header, UDP, BTH, payload, ICRC.
 * What `cnp.ts` and `fast-cnp.ts` have in common.
 */
import { allocating, invalidPacket, requireChoice, requireBytes, requireTarget, writeU16 } from '../bytes.js';
import { type ExtensionHeader, NEXT_HEADER_DESTINATION_OPTIONS, walkExtensionHeaders } from '../ip/extension-header.js';
import { sameFamily } from '../ip/ip-address.js';
import { IPV4_BYTES, IPV4_FLAG_DF, IPV4_FLAG_MF, Ipv4View, buildIpv4Into } from '../ip/ipv4.js';
import { IPV6_BYTES, Ipv6View, buildIpv6Into } from '../ip/ipv6.js';
import { PROTOCOL_UDP, ROCE_V2_PORT, UDP_BYTES, UDP_CHECKSUM, UdpView, buildUdpInto,
  computeUdpChecksum } from '../ip/udp.js';
import { ETHERNET_BYTES, ETHERTYPE_IPV4, ETHERTYPE_IPV6, EthernetView, VLAN_TAG_BYTES, type VlanTag,
  buildEthernetInto } from '../link/ethernet.js';
import { BTH_BYTES, type Bth, type BthFields, buildBthInto, parseBth } from './bth.js';
import { ICRC_BYTES, type IcrcPolicy, computeIcrc, writeIcrc } from './icrc.js';

/** An Ethernet header whose EtherType follows from the IP version. */
export interface EthernetLink {
  /** 6 bytes. */
  readonly destination: Uint8Array;
  /** 6 bytes. */
  readonly source: Uint8Array;
  /** Outermost first; none by default. */
  readonly tags?: readonly VlanTag[];
}

/** What stands before the IP header. */
export type LinkLayer = 'none' | EthernetLink;

/** What a reader shall expect before the IP header. */
export type LinkKind = 'none' | 'ethernet';

/** Everything of a frame that its builder does not work out itself. */
export interface RoceFrame {
  readonly link: LinkLayer;
  /** 16 bytes; IPv4-mapped for an IPv4 frame, then the destination too. */
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  readonly dscp: number;
  readonly ecn: number;
  /** IPv4: TTL. */
  readonly hopLimit: number;
  /** IPv6 only. */
  readonly flowLabel: number;
  /** IPv4 only. */
  readonly ipv4Identification: number;
  /** A complete Destination Options header whose next header is UDP, or nothing. IPv6 only. */
  readonly destinationOptions: Uint8Array;
  readonly udpSourcePort: number;
  readonly udpChecksum: 'zero' | 'computed';
  readonly bth: BthFields;
  readonly payload: Uint8Array;
  readonly icrcPolicy: IcrcPolicy;
}

/** Where the parts of a RoCEv2 frame are, and what its IP header says. */
export interface LocatedRoce {
  readonly link: LinkLayer;
  readonly ipVersion: 4 | 6;
  readonly ipOffset: number;
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  readonly dscp: number;
  readonly ecn: number;
  readonly hopLimit: number;
  readonly flowLabel: number;
  readonly ipv4Identification: number;
  readonly extensions: readonly ExtensionHeader[];
  readonly udp: UdpView;
  readonly bth: Bth;
  readonly payloadOffset: number;
  /** Where the ICRC ends, as the IP header says; a cut capture may end before. */
  readonly endOffset: number;
}

/** Bytes of the frame. */
export function roceFrameBytes(frame: RoceFrame): number {
  return ipOffsetOf(frame.link) + ipHeaderBytes(frame) + frame.destinationOptions.length + udpLengthOf(frame);
}

/** Writes a frame, ICRC and checksums included. @throws RoceError as `buildRoceFrameInto`. */
export const buildRoceFrame: (frame: RoceFrame) => Uint8Array = /* @__PURE__ */ allocating(roceFrameBytes,
  buildRoceFrameInto);

/**
 * Writes a frame, ICRC and checksums included.
 * @returns the offset behind the ICRC.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildRoceFrameInto(target: Uint8Array, offset: number, frame: RoceFrame): number {
  requireChoice('udpChecksum', frame.udpChecksum, ['zero', 'computed']);
  requireTarget('frame', target, offset, roceFrameBytes(frame));
  const ipOffset = writeLink(target, offset, frame);
  let at = isIpv4(frame) ? writeIpv4(target, ipOffset, frame) : writeIpv6(target, ipOffset, frame);
  target.set(frame.destinationOptions, at);
  const udpOffset = at + frame.destinationOptions.length;
  at = buildUdpInto(target, udpOffset, { sourcePort: frame.udpSourcePort, length: udpLengthOf(frame) });
  at = buildBthInto(target, at, frame.bth);
  target.set(frame.payload, at);
  at += frame.payload.length;
  at = writeIcrc(target, at, computeIcrc(target.subarray(ipOffset, at), frame.icrcPolicy));
  if (frame.udpChecksum === 'computed') {
    const checksum = computeUdpChecksum(frame.source, frame.destination, target.subarray(udpOffset, at));
    writeU16(target, udpOffset + UDP_CHECKSUM, checksum);
  }
  return at;
}

/**
 * Finds the parts of a RoCEv2 frame. The payload and the ICRC need not be there.
 * @throws RoceError `invalid-packet` when it is none, or ends before its BTH does.
 */
export function locateRoce(bytes: Uint8Array, offset: number, linkKind: LinkKind): LocatedRoce {
  const { link, ipOffset } = readLink(bytes, offset, linkKind);
  requireBytes('ip header', bytes, ipOffset, 1);
  const ip = bytes[ipOffset] >> 4 === 4 ? locateIpv4(bytes, ipOffset) : locateIpv6(bytes, ipOffset);
  const udp = new UdpView(bytes, ip.udpOffset);
  if (udp.destinationPort !== ROCE_V2_PORT) {
    throw invalidPacket('udp header', ip.udpOffset, 'leads elsewhere', udp.destinationPort, ROCE_V2_PORT);
  }
  const room = ip.endOffset - ip.udpOffset;
  const least = UDP_BYTES + BTH_BYTES + ICRC_BYTES;
  if (udp.length !== room || room < least) {
    const allowed = `${room} bytes, as IP says, and at least ${least}`;
    throw invalidPacket('udp header', ip.udpOffset, 'has a wrong length', udp.length, allowed);
  }
  const bth = parseBth(bytes, udp.payloadOffset);
  return { ...ip, link, ipOffset, udp, bth, payloadOffset: udp.payloadOffset + BTH_BYTES };
}

function readLink(bytes: Uint8Array, offset: number, kind: LinkKind): { link: LinkLayer; ipOffset: number } {
  requireChoice('link', kind, ['none', 'ethernet']);
  if (kind === 'none') return { link: 'none', ipOffset: offset };
  const view = new EthernetView(bytes, offset);
  const { etherType } = view;
  if (etherType !== ETHERTYPE_IPV4 && etherType !== ETHERTYPE_IPV6) {
    throw invalidPacket('ethernet header', offset, 'carries no IP', etherType, [ETHERTYPE_IPV4, ETHERTYPE_IPV6]);
  }
  const version = bytes[view.payloadOffset] >> 4;
  const announced = etherType === ETHERTYPE_IPV4 ? 4 : 6;
  if (version !== announced) {
    throw invalidPacket('ip header', view.payloadOffset, 'is not what the EtherType says', version, announced);
  }
  const tags = Array.from({ length: view.tagCount }, (_, index) => view.tag(index));
  const link = { destination: view.destination.slice(), source: view.source.slice(), tags };
  return { link, ipOffset: view.payloadOffset };
}

function locateIpv4(bytes: Uint8Array, ipOffset: number) {
  const view = new Ipv4View(bytes, ipOffset);
  if (view.protocol !== PROTOCOL_UDP) {
    throw invalidPacket('ipv4 header', ipOffset, 'carries no UDP', view.protocol, PROTOCOL_UDP);
  }
  if (view.fragmentOffset !== 0 || (view.flags & IPV4_FLAG_MF) !== 0) {
    throw invalidPacket('ipv4 header', ipOffset, 'is a fragment', view.fragmentOffset, 'a whole datagram');
  }
  const { source, destination, dscp, ecn, ttl, identification, payloadOffset, totalLength } = view;
  const endOffset = ipOffset + totalLength;
  const place = { extensions: [], udpOffset: payloadOffset, endOffset, ipv4Identification: identification };
  return { ...place, ipVersion: 4 as const, source, destination, dscp, ecn, hopLimit: ttl, flowLabel: 0 };
}

function locateIpv6(bytes: Uint8Array, ipOffset: number) {
  const view = new Ipv6View(bytes, ipOffset);
  const { dscp, ecn, flowLabel, hopLimit, payloadOffset, nextHeader } = view;
  const endOffset = payloadOffset + view.payloadLength;
  const chain = walkExtensionHeaders(bytes, nextHeader, payloadOffset, endOffset);
  if (chain.upperProtocol !== PROTOCOL_UDP) {
    throw invalidPacket('ipv6 header', ipOffset, 'carries no UDP', chain.upperProtocol, PROTOCOL_UDP);
  }
  const place = { extensions: chain.headers, udpOffset: chain.upperOffset, endOffset, ipv4Identification: 0 };
  const addresses = { source: view.source.slice(), destination: view.destination.slice() };
  return { ...place, ...addresses, ipVersion: 6 as const, dscp, ecn, hopLimit, flowLabel };
}

/** IPv4 if both addresses are IPv4-mapped. @throws RoceError `invalid-argument` if only one is. */
function isIpv4({ source, destination }: RoceFrame): boolean {
  return sameFamily('source, destination', source, destination);
}

function ipOffsetOf(link: LinkLayer): number {
  return link === 'none' ? 0 : ETHERNET_BYTES + (link.tags?.length ?? 0) * VLAN_TAG_BYTES;
}

function ipHeaderBytes(frame: RoceFrame): number {
  return isIpv4(frame) ? IPV4_BYTES : IPV6_BYTES;
}

function udpLengthOf({ payload }: RoceFrame): number {
  return UDP_BYTES + BTH_BYTES + payload.length + ICRC_BYTES;
}

function writeLink(target: Uint8Array, offset: number, frame: RoceFrame): number {
  if (frame.link === 'none') return offset;
  const etherType = isIpv4(frame) ? ETHERTYPE_IPV4 : ETHERTYPE_IPV6;
  return buildEthernetInto(target, offset, { tags: [], ...frame.link, etherType });
}

function writeIpv4(target: Uint8Array, offset: number, frame: RoceFrame): number {
  const { dscp, ecn, source, destination, ipv4Identification: identification, hopLimit: ttl } = frame;
  const totalLength = IPV4_BYTES + udpLengthOf(frame);
  const constant = { flags: IPV4_FLAG_DF, fragmentOffset: 0, protocol: PROTOCOL_UDP, options: new Uint8Array(0) };
  const header = { ...constant, dscp, ecn, source, destination, identification, ttl, totalLength };
  return buildIpv4Into(target, offset, header);
}

function writeIpv6(target: Uint8Array, offset: number, frame: RoceFrame): number {
  const { destinationOptions } = frame;
  const payloadLength = destinationOptions.length + udpLengthOf(frame);
  const nextHeader = destinationOptions.length > 0 ? NEXT_HEADER_DESTINATION_OPTIONS : PROTOCOL_UDP;
  return buildIpv6Into(target, offset, { ...frame, payloadLength, nextHeader });
}
