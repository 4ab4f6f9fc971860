/**
 * Packets that carry a discovery request, starting at the IP header.
 *
 *   IPv4  header with IP_OPT_ROCE_FC among its options, padded to 4 bytes | payload
 *   IPv6  header | Hop-by-Hop Options header with the option at 2 | payload
 *
 * The payload may be anything: "the intent is for this discovery packet to mimic a RoCEv2 packet" (TDCommons 1652, with
 * a ping as example). DSCP, flow label and UDP source port should be those of the flow whose path is to be discovered.
 */
import { concatBytes, invalidPacket, requireField, requireRecord, writeU16 } from '../bytes.js';
import { ExtensionHeader } from '../ip/extension-header.js';
import { sameFamily } from '../ip/ip-address.js';
import type { IpHeader, LocatedIp } from '../ip/ip-header.js';
import { Ipv4 } from '../ip/ipv4.js';
import { Ipv6Option, readOptions } from '../ip/ipv6-options.js';
import { Ipv6 } from '../ip/ipv6.js';
import { buildIpPacket, readIp } from './ip-packets.js';
import { padIpv4Options, readIpv4Options } from './ipv4-options.js';
import { ROCE_FC6_OPTION_OUTBOUND, RoceFc6Option, requireRoceFc6OptionType } from './roce-fc-ipv6-option.js';
import { type RoceFcHead, RoceFcOption, type RoceFcRequest, outboundOffsetOf } from './roce-fc-option.js';
import { IpProtocol } from '../ip/ip-protocol.js';

const IPV4_CHECKSUM = Ipv4.offsetOf('checksum');
const IPV4_TTL = Ipv4.offsetOf('ttl');
const IPV6_HOP_LIMIT = Ipv6.offsetOf('hopLimit');

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

/** A request in a packet: its contents and offsets. */
interface RequestAt {
  readonly ip: LocatedIp;
  readonly request: RoceFcRequest;
  readonly outboundOffset: number;
  readonly protocol: number;
  readonly payloadOffset: number;
}

const LAYER = 'discovery request';

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
  const ip = readIp(LAYER, bytes);
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
  if (found.length > 1) throw invalidPacket(LAYER, found[1].offset, 'has a duplicate option', found.length, 1);
  return found.at(0)?.offset;
}
