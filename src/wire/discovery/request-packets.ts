/**
 * Whole packets that carry a discovery request, from the IP header on.
 *
 *   IPv4  header with IP_OPT_ROCE_FC among its options, padded to 4 bytes | payload
 *   IPv6  header | Hop-by-Hop Options header with the option at 2 | payload
 *
 * The payload is anything: "the intent is for this discovery packet to mimic a RoCEv2 packet" (TDCommons 1652), whose
 * example is a ping. DSCP, flow label and UDP source port should be those of the flow whose path is asked for.
 */
import { IPV4, IPV4_BYTES, IPV4_FLAG_DF, Ipv4View, buildIpv4, computeIpv4Checksum } from '../ip/ipv4.js';
import { isIpv4Mapped } from '../ip/ip-address.js';
import { IPV6, IPV6_BYTES, Ipv6View, buildIpv6 } from '../ip/ipv6.js';
import { EXTENSION_NEXT_HEADER, NEXT_HEADER_HOP_BY_HOP, OPTION_DATA, buildOptionsHeader, readOptions,
  walkExtensionHeaders } from '../ip/ipv6-options.js';
import { invalidPacket, requireField, requireBytes, writeU16 } from '../bytes.js';
import { expectIpv4Checksum, expectIpv4Length, sameFamily } from './ip-checks.js';
import { padIpv4Options, readIpv4Options } from './ipv4-options.js';
import type { RoceFcHead, RoceFcRequest } from './roce-fc-option.js';
import { ROCE_FC_DEFAULT_OPTION_TYPE, ROCE_FC_OPTION_FLAGS_BYTES, ROCE_FC_OPTION_OUTBOUND, buildRoceFcOption,
  parseRoceFcOption } from './roce-fc-option.js';
import { ROCE_FC6_DEFAULT_OPTION_TYPE, ROCE_FC6_OPTION_OUTBOUND, ROCE_FC6_OPTION_PLACE, buildRoceFc6Option,
  parseRoceFc6Option, requireRoceFc6OptionType } from './roce-fc-ipv6-option.js';

const IPV4_CHECKSUM = IPV4.offsetOf('checksum');
const IPV4_TTL = IPV4.offsetOf('ttl');
const IPV6_HOP_LIMIT = IPV6.offsetOf('hopLimit');

/** Hop limit unless told otherwise. */
export const DISCOVERY_HOP_LIMIT = 64;

/** What a network must agree upon and the disclosure leaves open. */
export interface DiscoveryOptionTypes {
  /** IPv4 option type; 0x5E unless told otherwise. */
  readonly ipv4OptionType?: number;
  /** What the first 16 bits of figure 1 are; `type-length` unless told otherwise. */
  readonly head?: RoceFcHead;
  /** IPv6 option type, change bit 1; 0x3E unless told otherwise. */
  readonly ipv6OptionType?: number;
}

/** A request and the addresses of its packet. */
export interface RequestPacket {
  /** 16 bytes. */
  readonly source: Uint8Array;
  /** 16 bytes, of the same family. */
  readonly destination: Uint8Array;
  readonly request: RoceFcRequest;
  /** IP protocol (next header) of the payload. */
  readonly protocol: number;
  readonly payload: Uint8Array;
  /** 0..63. */
  readonly dscp: number;
  /** 0..3. */
  readonly ecn: number;
  /** TTL in IPv4, 0..255. */
  readonly hopLimit: number;
  /** IPv6 only: 20 bits; 0 in IPv4. */
  readonly flowLabel: number;
  /** IPv4 only: 16 bits; 0 in IPv6. */
  readonly identification: number;
}

/** What `buildRequestPacket` needs; hop limit 64 and zeros unless told otherwise. */
export type RequestPacketFields = Pick<RequestPacket, 'source' | 'destination' | 'request' | 'protocol' | 'payload'>
  & Partial<RequestPacket>;

/** Where things stand in a packet with a request. */
interface RequestAt {
  readonly family: 4 | 6;
  readonly optionOffset: number;
  readonly outboundOffset: number;
  readonly protocol: number;
  readonly payloadOffset: number;
  readonly endOffset: number;
}

const LAYER = 'discovery request';

/**
 * Writes a packet with a discovery request, IPv4 or IPv6 by its addresses. "Don't fragment" is set, as in RoCEv2.
 *
 * Source: TDCommons 1652, figure 1; RFC 791, section 3.1; RFC 8200, section 4.3.
 * @throws RoceError `invalid-argument` naming a field out of range, or addresses of two families.
 */
export function buildRequestPacket(packet: RequestPacketFields, types: DiscoveryOptionTypes = {}): Uint8Array {
  const { source, destination, request, payload } = packet;
  sameFamily('requestPacket', source, destination, request.originator);
  const headers = isIpv4Mapped(source) ? buildHeaders4(packet, types) : buildHeaders6(packet, types);
  const bytes = new Uint8Array(headers.length + payload.length);
  bytes.set(headers);
  bytes.set(payload, headers.length);
  return bytes;
}

function buildHeaders4(packet: RequestPacketFields, types: DiscoveryOptionTypes): Uint8Array {
  const { source, destination, request, protocol, payload, dscp = 0, ecn = 0, identification = 0 } = packet;
  const { ipv4OptionType: type = ROCE_FC_DEFAULT_OPTION_TYPE, head = 'type-length' } = types;
  requireField('requestPacket.flowLabel', packet.flowLabel ?? 0, 0);
  const options = padIpv4Options(buildRoceFcOption({ ...request, type, head }));
  return buildIpv4({
    dscp,
    ecn,
    identification,
    flags: IPV4_FLAG_DF,
    fragmentOffset: 0,
    ttl: packet.hopLimit ?? DISCOVERY_HOP_LIMIT,
    protocol,
    source,
    destination,
    options,
    totalLength: IPV4_BYTES + options.length + payload.length,
  });
}

function buildHeaders6(packet: RequestPacketFields, types: DiscoveryOptionTypes): Uint8Array {
  const { source, destination, request, protocol, payload, dscp = 0, ecn = 0, flowLabel = 0 } = packet;
  const { ipv6OptionType: type = ROCE_FC6_DEFAULT_OPTION_TYPE } = types;
  requireField('requestPacket.identification', packet.identification ?? 0, 0);
  requireField('requestPacket.protocol', protocol, 0xff);
  const data = buildRoceFc6Option({ ...request, type }).subarray(OPTION_DATA);
  const extension = buildOptionsHeader(type, data, ROCE_FC6_OPTION_PLACE, protocol);
  const header = buildIpv6({
    dscp,
    ecn,
    flowLabel,
    payloadLength: extension.length + payload.length,
    nextHeader: NEXT_HEADER_HOP_BY_HOP,
    hopLimit: packet.hopLimit ?? DISCOVERY_HOP_LIMIT,
    source,
    destination,
  });
  const headers = new Uint8Array(header.length + extension.length);
  headers.set(header);
  headers.set(extension, header.length);
  return headers;
}

/**
 * Reads a packet with a discovery request; the inverse of `buildRequestPacket` for the packets that it writes.
 *
 * @param bytes from the IP header on; bytes behind the datagram (padding of a frame) are not looked at.
 * @returns undefined for a packet without such an option.
 * @throws RoceError `invalid-packet`: cut short, a wrong IPv4 header checksum, a malformed option, or two of them.
 */
export function parseRequestPacket(bytes: Uint8Array, types: DiscoveryOptionTypes = {}): RequestPacket | undefined {
  const at = locateRequest(bytes, types);
  if (at === undefined) return undefined;
  const { family, optionOffset, protocol, payloadOffset, endOffset } = at;
  const payload = bytes.slice(payloadOffset, endOffset);
  if (family === 4) {
    const { source, destination, dscp, ecn, ttl: hopLimit, identification } = new Ipv4View(bytes);
    const request = requestOf(parseRoceFcOption(bytes, optionOffset, types.head));
    return { source, destination, request, protocol, payload, dscp, ecn, hopLimit, flowLabel: 0, identification };
  }
  const { source, destination, dscp, ecn, hopLimit, flowLabel } = new Ipv6View(bytes);
  return {
    source: source.slice(),
    destination: destination.slice(),
    request: requestOf(parseRoceFc6Option(bytes, optionOffset)),
    protocol,
    payload,
    dscp,
    ecn,
    hopLimit,
    flowLabel,
    identification: 0,
  };
}

/**
 * The packet as a router sends it on: hop limit one less, the outbound hop count as given, the IPv4 header checksum
 * renewed; all else, other options included, as it was.
 *
 * @returns new bytes; undefined when the hop limit is used up, or there is no such option.
 * @throws RoceError `invalid-packet` as `parseRequestPacket`.
 */
export function forwardRequestPacket(bytes: Uint8Array, outboundHopCount: number, types: DiscoveryOptionTypes = {}):
  | Uint8Array
  | undefined {
  requireField('outboundHopCount', outboundHopCount, 0xffff);
  const at = locateRequest(bytes, types);
  if (at === undefined) return undefined;
  const hopLimitOffset = at.family === 4 ? IPV4_TTL : IPV6_HOP_LIMIT;
  if (bytes[hopLimitOffset] <= 1) return undefined;
  const forwarded = bytes.slice(0, at.endOffset);
  forwarded[hopLimitOffset] -= 1;
  writeU16(forwarded, at.outboundOffset, outboundHopCount);
  if (at.family === 4) writeU16(forwarded, IPV4_CHECKSUM, computeIpv4Checksum(forwarded));
  return forwarded;
}

function requestOf(option: RoceFcRequest): RoceFcRequest {
  const { flags, idNumber, outboundHopCount, returnHopCount, originator, data } = option;
  return { flags, idNumber, outboundHopCount, returnHopCount, originator, data };
}

function locateRequest(bytes: Uint8Array, types: DiscoveryOptionTypes): RequestAt | undefined {
  requireBytes(LAYER, bytes, 0, 1);
  const at = bytes[0] >> 4 === 6 ? locate6(bytes, types) : locate4(bytes, types);
  if (at === undefined) return undefined;
  // The one check of the option that makes writing the hop count safe.
  if (at.family === 4) parseRoceFcOption(bytes, at.optionOffset, types.head);
  else parseRoceFc6Option(bytes, at.optionOffset);
  return at;
}

function locate4(bytes: Uint8Array, types: DiscoveryOptionTypes): RequestAt | undefined {
  const { ipv4OptionType = ROCE_FC_DEFAULT_OPTION_TYPE, head = 'type-length' } = types;
  const view = new Ipv4View(bytes);
  expectIpv4Length(view);
  expectIpv4Checksum(view);
  const options = readIpv4Options(bytes, IPV4_BYTES, view.payloadOffset);
  const optionOffset = theOne(options.filter(({ type }) => type === ipv4OptionType));
  if (optionOffset === undefined) return undefined;
  const shift = head === 'flags' ? ROCE_FC_OPTION_FLAGS_BYTES : 0;
  return {
    family: 4,
    optionOffset,
    outboundOffset: optionOffset + shift + ROCE_FC_OPTION_OUTBOUND,
    protocol: view.protocol,
    payloadOffset: view.payloadOffset,
    endOffset: view.totalLength,
  };
}

function locate6(bytes: Uint8Array, types: DiscoveryOptionTypes): RequestAt | undefined {
  const { ipv6OptionType = ROCE_FC6_DEFAULT_OPTION_TYPE } = types;
  requireRoceFc6OptionType('ipv6OptionType', ipv6OptionType);
  const view = new Ipv6View(bytes);
  requireBytes(LAYER, bytes, 0, IPV6_BYTES + view.payloadLength);
  const endOffset = IPV6_BYTES + view.payloadLength;
  if (view.nextHeader !== NEXT_HEADER_HOP_BY_HOP) return undefined;
  const [header] = walkExtensionHeaders(bytes, view.nextHeader, IPV6_BYTES, endOffset).headers;
  const optionOffset = theOne(readOptions(bytes, header).filter(({ type }) => type === ipv6OptionType));
  if (optionOffset === undefined) return undefined;
  return {
    family: 6,
    optionOffset,
    outboundOffset: optionOffset + ROCE_FC6_OPTION_OUTBOUND,
    protocol: bytes[header.offset + EXTENSION_NEXT_HEADER],
    payloadOffset: header.offset + header.bytes,
    endOffset,
  };
}

function theOne(options: readonly { readonly offset: number }[]): number | undefined {
  if (options.length > 1) throw invalidPacket(LAYER, options[1].offset, 'has its option twice', options.length, 'one');
  return options.at(0)?.offset;
}
