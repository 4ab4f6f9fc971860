/**
 * Packets that carry a discovery request or reply, starting at the IP header.
 *
 *   request  IPv4  header with IP_OPT_ROCE_FC among its options, padded to 4 bytes | payload
 *            IPv6  header | Hop-by-Hop Options header with the option at 2 | payload
 *   reply    IPv4  header, protocol 1 | ICMP_TYPE_ROCE_FC
 *            IPv6  header, next header 58 | the same, with a checksum that includes the pseudo-header
 *
 * The payload of a request may be anything: "the intent is for this discovery packet to mimic a RoCEv2 packet"
 * (TDCommons 1652, with a ping as example). Its DSCP, flow label and UDP source port should be those of the flow whose
 * path is to be discovered.
 */
import { concatBytes, invalidPacket, requireField, requireRecord, writeU16, requireBytes, NO_BYTES } from '../bytes.js';
import { computeIcmpChecksum } from '../internet-checksum.js';
import { ExtensionHeader, Ipv6 } from '../ip/ipv6.js';
import { sameFamily } from '../ip/ip-address.js';
import { buildIpInto, type IpHeader, ipHeaderBytes, type LocatedIp, locateIp, upperLayerOf } from '../ip/ip-header.js';
import { IpProtocol } from '../ip/ip-protocol.js';
import { Ipv4 } from '../ip/ipv4.js';
import { Ipv6Option, readOptions } from '../ip/ipv6-options.js';
import { padIpv4Options, readIpv4Options, ROCE_FC6_OPTION_OUTBOUND, RoceFc6Option, requireRoceFc6OptionType,
  type RoceFcHead, RoceFcOption, type RoceFcRequest, outboundOffsetOf, RoceFcIcmp,
  type RoceFcReply } from './roce-fc.js';

const IPV4_CHECKSUM = Ipv4.offsetOf('checksum');
const IPV4_TTL = Ipv4.offsetOf('ttl');
const IPV6_HOP_LIMIT = Ipv6.offsetOf('hopLimit');

const REQUEST = 'discovery request';
const REPLY = 'discovery reply';

/** Default hop limit. */
export const DISCOVERY_HOP_LIMIT = 64;

/** Option types and layout, which the disclosure leaves open and a network must agree on. */
export interface DiscoveryOptionTypes {
  /** IPv4 option type; default 0x5E. */
  readonly ipv4OptionType?: number;
  /** Meaning of the first 16 bits of figure 1; default `type-length`. */
  readonly head?: RoceFcHead;
  /** IPv6 option type, change bit 1; default 0x3E. */
  readonly ipv6OptionType?: number;
}

/** A request and its packet; `protocol` is that of the payload. */
export interface RequestPacket extends IpHeader {
  /** Bytes after the IP header and its options, not interpreted; may be empty. */
  readonly payload: Uint8Array;
  /** Contents of the option. */
  readonly request: RoceFcRequest;
}

/** A request and its packet; `protocol` is that of the payload. */
export const RequestPacket = {
  /**
   * Reads a packet with a discovery request; the inverse of `RequestPacket.write` for packets that it wrote.
   *
   * @param bytes from the IP header on; bytes after the datagram (padding of a frame) are ignored.
   * @returns undefined for a packet without such an option.
   * @throws RoceError `invalid-packet`: truncated, a wrong IPv4 header checksum, or a malformed or duplicate option.
   */
  read(bytes: Uint8Array, types: DiscoveryOptionTypes = {}): RequestPacket | undefined {
    requireRecord('types', types);
    const at = locateRequest(bytes, types);
    if (at === undefined) return undefined;
    const { ip, request, protocol, payloadOffset } = at;
    const { source, destination, dscp, ecn, hopLimit, flowLabel, identification, endOffset } = ip;
    const payload = bytes.slice(payloadOffset, endOffset);
    return { source, destination, request, protocol, payload, dscp, ecn, hopLimit, flowLabel, identification };
  },
  /**
   * Writes a packet with a discovery request, IPv4 or IPv6 by its addresses. "Don't fragment" is set, as in RoCEv2.
   *
   * Source: TDCommons 1652, figure 1; RFC 791, section 3.1; RFC 8200, section 4.3.
   * @throws RoceError `invalid-argument` naming a field out of range, or addresses of different families.
   */
  write(packet: RequestPacketFields, types: DiscoveryOptionTypes = {}): Uint8Array {
    requireRecord('types', types);
    requireRecord('packet', packet);
    const { source, destination, request } = packet;
    requireRecord('packet.request', request);
    const isIpv4 = sameFamily('requestPacket', source, destination, request.originator);
    return isIpv4 ? buildWithIpv4Option(packet, types) : buildWithIpv6Option(packet, types);
  },
  /**
   * Returns the packet as a router forwards it: hop limit decremented, outbound hop count as given, IPv4 header
   * checksum updated; everything else, including other options, is unchanged.
   *
   * @returns new bytes; undefined if the hop limit is exhausted, or there is no such option.
   * @throws RoceError `invalid-packet` like `RequestPacket.read`.
   */
  forward(bytes: Uint8Array, outboundHopCount: number, types: DiscoveryOptionTypes = {}): Uint8Array | undefined {
    requireRecord('types', types);
    requireField('outboundHopCount', outboundHopCount, 0xffff);
    const at = locateRequest(bytes, types);
    if (at === undefined) return undefined;
    const { ipVersion, endOffset } = at.ip;
    const hopLimitOffset = ipVersion === 4 ? IPV4_TTL : IPV6_HOP_LIMIT;
    if (bytes[hopLimitOffset] <= 1) return undefined;
    const forwarded = bytes.slice(0, endOffset);
    forwarded[hopLimitOffset] -= 1;
    writeU16(forwarded, at.outboundOffset, outboundHopCount);
    if (ipVersion === 4) writeU16(forwarded, IPV4_CHECKSUM, Ipv4.computeChecksum(forwarded));
    return forwarded;
  },
} as const;

/** Input of `RequestPacket.write`; defaults: hop limit 64, other fields 0. */
export type RequestPacketFields = Pick<RequestPacket, 'source' | 'destination' | 'request' | 'protocol' | 'payload'>
  & Partial<RequestPacket>;

/** ICMP types, which the disclosure leaves open and a network must agree on. */
export interface DiscoveryIcmpTypes {
  /** ICMP type over IPv4. Default 253. */
  readonly icmpType?: number;
  /** ICMPv6 type. Default 200. */
  readonly icmpv6Type?: number;
}

/** A node's reply to the originator, and its packet. */
export interface ReplyPacket extends Pick<IpHeader, 'source' | 'destination' | 'dscp' | 'hopLimit'> {
  /** Contents of the ICMP message. */
  readonly reply: RoceFcReply;
}

/** A node's reply to the originator, and its packet. */
export const ReplyPacket = {
  /**
   * Reads a packet with a discovery reply; the inverse of `ReplyPacket.write` for packets that it wrote.
   *
   * @param bytes from the IP header on; bytes after the datagram are ignored.
   * @returns undefined for another protocol, another ICMP type, or a fragment.
   * @throws RoceError `invalid-packet`: truncated, a wrong checksum of IPv4 or ICMP, more than 64 bytes of data.
   */
  read(bytes: Uint8Array, types: DiscoveryIcmpTypes = {}): ReplyPacket | undefined {
    requireRecord('types', types);
    const { icmpType = RoceFcIcmp.DEFAULT_ICMP_TYPE, icmpv6Type = RoceFcIcmp.DEFAULT_ICMPV6_TYPE } = types;
    const ip = readIp(REPLY, bytes);
    const { source, destination, dscp, hopLimit, endOffset } = ip;
    const isIpv4 = ip.ipVersion === 4;
    const { upperProtocol, upperOffset } = upperLayerOf(bytes, ip);
    if (upperProtocol !== (isIpv4 ? IpProtocol.ICMP : IpProtocol.ICMPV6) || ip.isFragment) return undefined;
    requireBytes(REPLY, bytes, upperOffset, 1, endOffset);
    if (bytes[upperOffset] !== (isIpv4 ? icmpType : icmpv6Type)) return undefined;
    const { checksum, ...message } = RoceFcIcmp.read(bytes.subarray(0, endOffset), upperOffset);
    const right = computeIcmpChecksum(bytes, upperOffset, endOffset, isIpv4 ? undefined : { source, destination });
    if (checksum !== right) throw invalidPacket(REPLY, upperOffset, 'has a wrong checksum', checksum, right);
    const { code, idNumber, flags, outboundHopCount, returnHopCount, data } = message;
    const reply = { code, idNumber, flags, outboundHopCount, returnHopCount, data };
    return { source, destination, reply, dscp, hopLimit };
  },
  /**
   * Writes a packet with a discovery reply, IPv4 or IPv6 by its addresses.
   *
   * Source: TDCommons 1652, figure 2; RFC 792; RFC 4443.
   * @throws RoceError `invalid-argument` naming a field out of range, or addresses of different families.
   */
  write(packet: ReplyPacketFields, types: DiscoveryIcmpTypes = {}): Uint8Array {
    requireRecord('packet', packet);
    requireRecord('types', types);
    const { source, destination, reply } = packet;
    const { icmpType = RoceFcIcmp.DEFAULT_ICMP_TYPE, icmpv6Type = RoceFcIcmp.DEFAULT_ICMPV6_TYPE } = types;
    const isIpv4 = sameFamily('replyPacket', source, destination);
    const message = isIpv4 ? { type: icmpType } : { type: icmpv6Type, pseudoHeader: { source, destination } };
    const payload = RoceFcIcmp.write({ ...reply, ...message });
    return buildIpPacket({ ...packet, protocol: isIpv4 ? IpProtocol.ICMP : IpProtocol.ICMPV6, payload });
  },
} as const;

/** Input of `ReplyPacket.write`; defaults: DSCP 0 and hop limit 64. */
export type ReplyPacketFields = Pick<ReplyPacket, 'source' | 'destination' | 'reply'> & Partial<ReplyPacket>;

/** A request in a packet: its contents and offsets. */
interface RequestAt {
  readonly ip: LocatedIp;
  readonly request: RoceFcRequest;
  readonly outboundOffset: number;
  readonly protocol: number;
  readonly payloadOffset: number;
}

function buildWithIpv4Option(packet: RequestPacketFields, types: DiscoveryOptionTypes): Uint8Array {
  const { ipv4OptionType: type = RoceFcOption.DEFAULT_OPTION_TYPE, head = 'type-length' } = types;
  requireField('requestPacket.flowLabel', packet.flowLabel ?? 0, 0);
  return buildIpPacket(packet, padIpv4Options(RoceFcOption.write({ ...packet.request, type, head })));
}

function buildWithIpv6Option(packet: RequestPacketFields, types: DiscoveryOptionTypes): Uint8Array {
  const { request, protocol, payload } = packet;
  const { ipv6OptionType: type = RoceFc6Option.DEFAULT_OPTION_TYPE } = types;
  requireField('requestPacket.identification', packet.identification ?? 0, 0);
  requireField('requestPacket.protocol', protocol, 0xff);
  const data = RoceFc6Option.write({ ...request, type }).subarray(Ipv6Option.lenBytes);
  const extension = Ipv6Option.writeHeader(type, data, RoceFc6Option.OPTION_PLACE, protocol);
  return buildIpPacket({ ...packet, protocol: IpProtocol.HOP_BY_HOP, payload: concatBytes(extension, payload) });
}

function requestOf(option: RoceFcRequest): RoceFcRequest {
  const { flags, idNumber, outboundHopCount, returnHopCount, originator, data } = option;
  return { flags, idNumber, outboundHopCount, returnHopCount, originator, data };
}

function locateRequest(bytes: Uint8Array, types: DiscoveryOptionTypes): RequestAt | undefined {
  const ip = readIp(REQUEST, bytes);
  return ip.ipVersion === 4 ? locate4(bytes, ip, types) : locate6(bytes, ip, types);
}

function locate4(bytes: Uint8Array, ip: LocatedIp, types: DiscoveryOptionTypes): RequestAt | undefined {
  const { ipv4OptionType = RoceFcOption.DEFAULT_OPTION_TYPE, head = 'type-length' } = types;
  const { protocol, payloadOffset } = ip;
  const offset = theOne(readIpv4Options(bytes, Ipv4.lenBytes, payloadOffset), ipv4OptionType);
  if (offset === undefined) return undefined;
  const request = requestOf(RoceFcOption.read(bytes, offset, head));
  return { ip, request, outboundOffset: offset + outboundOffsetOf(head), protocol, payloadOffset };
}

function locate6(bytes: Uint8Array, ip: LocatedIp, types: DiscoveryOptionTypes): RequestAt | undefined {
  const { ipv6OptionType = RoceFc6Option.DEFAULT_OPTION_TYPE } = types;
  requireRoceFc6OptionType('ipv6OptionType', ipv6OptionType);
  if (ip.protocol !== IpProtocol.HOP_BY_HOP) return undefined;
  const { payloadOffset: at, endOffset } = ip;
  const headerBytes = ExtensionHeader.lenBytesAt(bytes, at, endOffset);
  const options = readOptions(bytes, { type: IpProtocol.HOP_BY_HOP, offset: at, bytes: headerBytes });
  const offset = theOne(options, ipv6OptionType);
  if (offset === undefined) return undefined;
  const request = requestOf(RoceFc6Option.read(bytes, offset));
  const { nextHeader: protocol } = ExtensionHeader.read(bytes, at);
  return { ip, request, outboundOffset: offset + ROCE_FC6_OPTION_OUTBOUND, protocol, payloadOffset: at + headerBytes };
}

/** Offset of the option of this type, if there is one. */
function theOne(options: readonly { readonly type: number; readonly offset: number }[], wanted: number): number
  | undefined {
  const found = options.filter(({ type }) => type === wanted);
  if (found.length > 1) throw invalidPacket(REQUEST, found[1].offset, 'has a duplicate option', found.length, 1);
  return found.at(0)?.offset;
}

/** A packet to write; defaults: hop limit 64, other fields 0. */
type IpPacketFields = Pick<IpHeader, 'source' | 'destination' | 'protocol'> & Partial<IpHeader> & {
  readonly payload: Uint8Array;
};

/** @throws RoceError `invalid-argument` naming a field out of range. @param options IPv4 options. */
function buildIpPacket(packet: IpPacketFields, options = NO_BYTES): Uint8Array {
  const defaults = { dscp: 0, ecn: 0, hopLimit: DISCOVERY_HOP_LIMIT, flowLabel: 0, identification: 0 };
  const header = { ...defaults, ...packet };
  const { payload } = packet;
  const bytes = new Uint8Array(ipHeaderBytes(header) + options.length + payload.length);
  bytes.set(payload, buildIpInto(bytes, 0, header, payload.length, options));
  return bytes;
}

/**
 * Reads an IP header, and checks that its packet is complete; bytes after it are ignored.
 *
 * @param layer for errors.
 * @throws RoceError `invalid-packet`: truncated, or a wrong IPv4 header checksum.
 */
function readIp(layer: string, bytes: Uint8Array): LocatedIp {
  requireBytes(layer, bytes, 0, 1);
  const ip = locateIp(bytes, 0);
  const { ipVersion, payloadOffset, endOffset } = ip;
  if (endOffset < payloadOffset) {
    const allowed = { min: payloadOffset, unit: 'bytes' };
    throw invalidPacket('ipv4 header', 0, 'has a short total length', endOffset, allowed);
  }
  requireBytes(layer, bytes, 0, endOffset);
  if (ipVersion === 6) return ip;
  const { checksum } = Ipv4.read(bytes);
  const right = Ipv4.computeChecksum(bytes);
  if (checksum !== right) throw invalidPacket('ipv4 header', 0, 'has a wrong checksum', checksum, right);
  return ip;
}
