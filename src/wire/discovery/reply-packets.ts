/**
 * Whole packets that carry a discovery reply, from the IP header on.
 *
 *   IPv4  header, protocol 1 | ICMP_TYPE_ROCE_FC
 *   IPv6  header, next header 58 | the same, its checksum with pseudo-header
 */
import { isIpv4Mapped } from '../ip/ip-address.js';
import { IPV4_BYTES, IPV4_FLAG_DF, IPV4_FLAG_MF, Ipv4View, buildIpv4 } from '../ip/ipv4.js';
import { IPV6_BYTES, Ipv6View, buildIpv6 } from '../ip/ipv6.js';
import { walkExtensionHeaders } from '../ip/ipv6-options.js';
import { invalidPacket, requireBytes } from '../bytes.js';
import type { IcmpPseudoHeader } from './icmp-checksum.js';
import { PROTOCOL_ICMP, PROTOCOL_ICMPV6, computeIcmpChecksum } from './icmp-checksum.js';
import { expectIpv4Checksum, expectIpv4Length, sameFamily } from './ip-checks.js';
import { DISCOVERY_HOP_LIMIT } from './request-packets.js';
import type { RoceFcIcmp, RoceFcReply } from './roce-fc-icmp.js';
import { ROCE_FC_DEFAULT_ICMPV6_TYPE, ROCE_FC_DEFAULT_ICMP_TYPE, buildRoceFcIcmp,
  parseRoceFcIcmp } from './roce-fc-icmp.js';

/** What a network must agree upon and the disclosure leaves open. */
export interface DiscoveryIcmpTypes {
  /** 253 unless told otherwise. */
  readonly icmpType?: number;
  /** 200 unless told otherwise. */
  readonly icmpv6Type?: number;
}

/** A node's reply and the addresses of its packet. */
export interface ReplyPacket {
  /** 16 bytes: the node that replies. */
  readonly source: Uint8Array;
  /** 16 bytes: the originator. */
  readonly destination: Uint8Array;
  readonly reply: RoceFcReply;
  /** 0..63. */
  readonly dscp: number;
  /** TTL in IPv4. */
  readonly hopLimit: number;
}

/** What `buildReplyPacket` needs; DSCP 0 and hop limit 64 unless told otherwise. */
export type ReplyPacketFields = Pick<ReplyPacket, 'source' | 'destination' | 'reply'> & Partial<ReplyPacket>;

const LAYER = 'discovery reply';

/**
 * Writes a packet with a discovery reply, IPv4 or IPv6 by its addresses.
 *
 * Source: TDCommons 1652, figure 2; RFC 792; RFC 4443.
 * @throws RoceError `invalid-argument` naming a field out of range, or addresses of two families.
 */
export function buildReplyPacket(packet: ReplyPacketFields, types: DiscoveryIcmpTypes = {}): Uint8Array {
  const { source, destination, reply, dscp = 0, hopLimit = DISCOVERY_HOP_LIMIT } = packet;
  sameFamily('replyPacket', source, destination);
  if (isIpv4Mapped(source)) {
    const message = buildRoceFcIcmp({ ...reply, type: types.icmpType ?? ROCE_FC_DEFAULT_ICMP_TYPE });
    const totalLength = IPV4_BYTES + message.length;
    const rest = { ecn: 0, identification: 0, flags: IPV4_FLAG_DF, fragmentOffset: 0, options: new Uint8Array(0) };
    const protocol = PROTOCOL_ICMP;
    return join(buildIpv4({ dscp, totalLength, ttl: hopLimit, protocol, source, destination, ...rest }), message);
  }
  const type = types.icmpv6Type ?? ROCE_FC_DEFAULT_ICMPV6_TYPE;
  const message = buildRoceFcIcmp({ ...reply, type, pseudoHeader: { source, destination } });
  const payloadLength = message.length;
  const nextHeader = PROTOCOL_ICMPV6;
  return join(buildIpv6({ dscp, ecn: 0, flowLabel: 0, payloadLength, nextHeader, hopLimit, source, destination }),
    message);
}

/**
 * Reads a packet with a discovery reply; the inverse of `buildReplyPacket` for the packets that it writes.
 *
 * @param bytes from the IP header on; bytes behind the datagram are not looked at.
 * @returns undefined for another protocol, another ICMP type, or a fragment.
 * @throws RoceError `invalid-packet`: cut short, a wrong checksum of IPv4 or ICMP, more than 64 bytes of data.
 */
export function parseReplyPacket(bytes: Uint8Array, types: DiscoveryIcmpTypes = {}): ReplyPacket | undefined {
  requireBytes(LAYER, bytes, 0, 1);
  return bytes[0] >> 4 === 6 ? parse6(bytes, types) : parse4(bytes, types);
}

function parse4(bytes: Uint8Array, { icmpType = ROCE_FC_DEFAULT_ICMP_TYPE }: DiscoveryIcmpTypes): ReplyPacket
  | undefined {
  const view = new Ipv4View(bytes);
  expectIpv4Length(view);
  expectIpv4Checksum(view);
  const isFragment = view.fragmentOffset !== 0 || (view.flags & IPV4_FLAG_MF) !== 0;
  if (view.protocol !== PROTOCOL_ICMP || isFragment) return undefined;
  const reply = readMessage(bytes, view.payloadOffset, view.totalLength, icmpType);
  if (reply === undefined) return undefined;
  return { source: view.source, destination: view.destination, reply, dscp: view.dscp, hopLimit: view.ttl };
}

function parse6(bytes: Uint8Array, { icmpv6Type = ROCE_FC_DEFAULT_ICMPV6_TYPE }: DiscoveryIcmpTypes): ReplyPacket
  | undefined {
  const view = new Ipv6View(bytes);
  const endOffset = IPV6_BYTES + view.payloadLength;
  requireBytes(LAYER, bytes, 0, endOffset);
  const { upperProtocol, upperOffset } = walkExtensionHeaders(bytes, view.nextHeader, IPV6_BYTES, endOffset);
  if (upperProtocol !== PROTOCOL_ICMPV6) return undefined;
  const source = view.source.slice();
  const destination = view.destination.slice();
  const reply = readMessage(bytes, upperOffset, endOffset, icmpv6Type, { source, destination });
  if (reply === undefined) return undefined;
  return { source, destination, reply, dscp: view.dscp, hopLimit: view.hopLimit };
}

function readMessage(bytes: Uint8Array, offset: number, endOffset: number, type: number,
  pseudoHeader?: IcmpPseudoHeader): RoceFcReply | undefined {
  requireBytes(LAYER, bytes, offset, 1, endOffset);
  if (bytes[offset] !== type) return undefined;
  const message = parseRoceFcIcmp(bytes.subarray(0, endOffset), offset);
  const right = computeIcmpChecksum(bytes, offset, endOffset, pseudoHeader);
  if (message.checksum !== right) {
    throw invalidPacket(LAYER, offset, 'has a wrong checksum', message.checksum, `${right}`);
  }
  return replyOf(message);
}

function replyOf({ code, idNumber, flags, outboundHopCount, returnHopCount, data }: RoceFcIcmp): RoceFcReply {
  return { code, idNumber, flags, outboundHopCount, returnHopCount, data };
}

function join(header: Uint8Array, message: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(header.length + message.length);
  bytes.set(header);
  bytes.set(message, header.length);
  return bytes;
}
