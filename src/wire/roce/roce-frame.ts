/**
 * A complete RoCEv2 frame: link header, IP, one optional extension header, UDP, BTH, payload, ICRC.
 * Shared by `cnp.ts` and `fast-cnp.ts`.
 */
import { allocating, invalidPacket, requireBytes, requireChoice, requireRecord, requireTarget,
  writeU16 } from '../bytes.js';
import type { LocatedExtensionHeader } from '../ip/ipv6.js';
import { isIpv4Mapped, sameFamily } from '../ip/ip-address.js';
import { buildIpInto, type IpHeader, ipHeaderBytes, type LocatedIp, locateIp, upperLayerOf } from '../ip/ip-header.js';
import { IpProtocol } from '../ip/ip-protocol.js';
import { UDP_CHECKSUM, Udp, UdpPort } from '../ip/udp.js';
import { Ethernet, VlanTag, EtherType } from '../link/ethernet.js';
import { Bth } from './bth.js';
import { Icrc, type IcrcPolicy } from './icrc.js';
import type { FieldsOf, ViewOf } from '../header/define-header.js';

/** An Ethernet header; the EtherType follows from the IP version. */
export interface EthernetLink {
  /** MAC address, 6 bytes. */
  readonly destination: Uint8Array;
  /** MAC address, 6 bytes. */
  readonly source: Uint8Array;
  /** Outermost first; default: none. */
  readonly tags?: readonly VlanTag[];
}

/** The link header before the IP header. */
export type LinkLayer = 'none' | EthernetLink;

/** The link header that a reader expects. */
export type LinkKind = 'none' | 'ethernet';

/** Link and IP fields of a frame. */
export interface RoceTravel extends Omit<IpHeader, 'identification' | 'protocol'> {
  /** An Ethernet header before the IP header, or `none`. */
  readonly link: LinkLayer;
  /** 16 bits; IPv4 only. */
  readonly ipv4Identification: number;
  /** 16 bits; determines the flow's path under ECMP. */
  readonly udpSourcePort: number;
  /** `zero` as in Annex A17 (section A17.3.2), or `computed` (RFC 768, including the pseudo-header). */
  readonly udpChecksum: 'zero' | 'computed';
}

/** All parts of a frame that its builder does not compute. */
export interface RoceFrame extends RoceTravel {
  /** A complete Destination Options header whose next header is UDP, or nothing. IPv6 only. */
  readonly destinationOptions: Uint8Array;
  readonly bth: FieldsOf<typeof Bth>;
  readonly payload: Uint8Array;
  readonly icrcPolicy: IcrcPolicy;
}

/** Offsets of the parts of a RoCEv2 frame, and its IP header. */
export interface LocatedRoce extends LocatedIp {
  readonly link: LinkLayer;
  readonly ipOffset: number;
  readonly extensions: readonly LocatedExtensionHeader[];
  readonly udp: ViewOf<typeof Udp>;
  readonly bth: Bth;
  /** First byte after the BTH. */
  readonly payloadOffset: number;
}

/** Length of the frame, bytes. */
export function roceFrameBytes(frame: RoceFrame): number {
  return ipOffsetOf(frame.link) + ipHeaderBytes(frame) + frame.destinationOptions.length + udpLengthOf(frame);
}

/** Writes a frame with ICRC and checksums. @throws RoceError like `buildRoceFrameInto`. */
export const buildRoceFrame: (frame: RoceFrame) => Uint8Array = /* @__PURE__ */ allocating(roceFrameBytes,
  buildRoceFrameInto);

/**
 * Writes a frame with ICRC and checksums.
 *
 * @returns the offset after the ICRC.
 * @throws RoceError `invalid-argument` naming a field out of range.
 */
export function buildRoceFrameInto(target: Uint8Array, offset: number, frame: RoceFrame): number {
  requireChoice('udpChecksum', frame.udpChecksum, ['zero', 'computed']);
  sameFamily('source, destination', frame.source, frame.destination);
  requireTarget('frame', target, offset, roceFrameBytes(frame));
  const ipOffset = writeLink(target, offset, frame);
  let at = writeIp(target, ipOffset, frame);
  target.set(frame.destinationOptions, at);
  const udpOffset = at + frame.destinationOptions.length;
  at = Udp.writeInto(target, udpOffset, { sourcePort: frame.udpSourcePort, length: udpLengthOf(frame) });
  at = Bth.writeInto(target, at, frame.bth);
  target.set(frame.payload, at);
  at += frame.payload.length;
  at = Icrc.write(target, at, Icrc.compute(target.subarray(ipOffset, at), frame.icrcPolicy));
  if (frame.udpChecksum === 'computed') {
    const checksum = Udp.computeChecksum(frame.source, frame.destination, target.subarray(udpOffset, at));
    writeU16(target, udpOffset + UDP_CHECKSUM, checksum);
  }
  return at;
}

/**
 * Finds the parts of a RoCEv2 frame. Payload and ICRC may be missing.
 *
 * @throws RoceError `invalid-packet` if it is not a RoCEv2 frame, or ends before the end of its BTH.
 */
export function locateRoce(bytes: Uint8Array, offset: number, linkKind: LinkKind): LocatedRoce {
  const { link, ipOffset } = readLink(bytes, offset, linkKind);
  requireBytes('ip header', bytes, ipOffset, 1);
  const ip = locateIp(bytes, ipOffset);
  const { extensions, udpOffset } = findUdp(bytes, ipOffset, ip);
  const udp = new Udp.View(bytes, udpOffset);
  if (udp.destinationPort !== UdpPort.ROCE_V2) {
    throw invalidPacket('udp header', udpOffset, 'has an unexpected destination port', udp.destinationPort,
      UdpPort.ROCE_V2);
  }
  const room = ip.endOffset - udpOffset;
  const least = Udp.lenBytes + Bth.lenBytes + Icrc.lenBytes;
  if (udp.length !== room || room < least) {
    const allowed = `${room} bytes, as IP says, and at least ${least}`;
    throw invalidPacket('udp header', udpOffset, 'has a wrong length', udp.length, allowed);
  }
  const bth = Bth.read(bytes, udp.payloadOffset);
  return { ...ip, link, ipOffset, extensions, udp, bth, payloadOffset: udp.payloadOffset + Bth.lenBytes };
}

function readLink(bytes: Uint8Array, offset: number, kind: LinkKind): { link: LinkLayer; ipOffset: number } {
  requireChoice('link', kind, ['none', 'ethernet']);
  if (kind === 'none') return { link: 'none', ipOffset: offset };
  const view = new Ethernet.View(bytes, offset);
  const { etherType } = view;
  if (etherType !== EtherType.IPV4 && etherType !== EtherType.IPV6) {
    throw invalidPacket('ethernet header', offset, 'carries no IP', etherType, [EtherType.IPV4, EtherType.IPV6]);
  }
  const version = bytes[view.payloadOffset] >> 4;
  const announced = etherType === EtherType.IPV4 ? 4 : 6;
  if (version !== announced) {
    throw invalidPacket('ip header', view.payloadOffset, 'is not what the EtherType says', version, announced);
  }
  const tags = Array.from({ length: view.tagCount }, (_, index) => view.tag(index));
  const link = { destination: view.destination.slice(), source: view.source.slice(), tags };
  return { link, ipOffset: view.payloadOffset };
}

function findUdp(bytes: Uint8Array, ipOffset: number, ip: LocatedIp) {
  const layer = `ipv${ip.ipVersion} header`;
  const { headers: extensions, upperProtocol, upperOffset: udpOffset } = upperLayerOf(bytes, ip);
  if (upperProtocol !== IpProtocol.UDP) {
    throw invalidPacket(layer, ipOffset, 'carries no UDP', upperProtocol, IpProtocol.UDP);
  }
  if (ip.isFragment) throw invalidPacket(layer, ipOffset, 'is a fragment', true, 'a whole datagram');
  return { extensions, udpOffset };
}

function ipOffsetOf(link: LinkLayer): number {
  if (link !== 'none') requireRecord('link', link);
  return link === 'none' ? 0 : Ethernet.lenBytes + (link.tags?.length ?? 0) * VlanTag.lenBytes;
}

function udpLengthOf({ payload }: RoceFrame): number {
  return Udp.lenBytes + Bth.lenBytes + payload.length + Icrc.lenBytes;
}

function writeLink(target: Uint8Array, offset: number, frame: RoceFrame): number {
  if (frame.link === 'none') return offset;
  const etherType = isIpv4Mapped(frame.source) ? EtherType.IPV4 : EtherType.IPV6;
  return Ethernet.writeInto(target, offset, { tags: [], ...frame.link, etherType });
}

function writeIp(target: Uint8Array, offset: number, frame: RoceFrame): number {
  const { destinationOptions, ipv4Identification: identification } = frame;
  const protocol = destinationOptions.length > 0 ? IpProtocol.DESTINATION_OPTIONS : IpProtocol.UDP;
  const payloadBytes = destinationOptions.length + udpLengthOf(frame);
  return buildIpInto(target, offset, { ...frame, identification, protocol }, payloadBytes);
}
