/**
 * Packets that carry a discovery reply, starting at the IP header.
 *
 *   IPv4  header, protocol 1 | ICMP_TYPE_ROCE_FC
 *   IPv6  header, next header 58 | the same, with a checksum that includes the pseudo-header
 */
import { invalidPacket, requireBytes, requireRecord } from '../bytes.js';
import { computeIcmpChecksum } from '../ip/icmp-checksum.js';
import { sameFamily } from '../ip/ip-address.js';
import { type IpHeader, upperLayerOf } from '../ip/ip-header.js';
import { buildIpPacket, readIp } from './ip-packets.js';
import { RoceFcIcmp, type RoceFcReply } from './roce-fc-icmp.js';
import { IpProtocol } from '../ip/ip-protocol.js';

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
    const ip = readIp(LAYER, bytes);
    const { source, destination, dscp, hopLimit, endOffset } = ip;
    const isIpv4 = ip.ipVersion === 4;
    const { upperProtocol, upperOffset } = upperLayerOf(bytes, ip);
    if (upperProtocol !== (isIpv4 ? IpProtocol.ICMP : IpProtocol.ICMPV6) || ip.isFragment) return undefined;
    requireBytes(LAYER, bytes, upperOffset, 1, endOffset);
    if (bytes[upperOffset] !== (isIpv4 ? icmpType : icmpv6Type)) return undefined;
    const { checksum, ...message } = RoceFcIcmp.read(bytes.subarray(0, endOffset), upperOffset);
    const right = computeIcmpChecksum(bytes, upperOffset, endOffset, isIpv4 ? undefined : { source, destination });
    if (checksum !== right) throw invalidPacket(LAYER, upperOffset, 'has a wrong checksum', checksum, right);
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

const LAYER = 'discovery reply';
