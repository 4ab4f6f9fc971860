/**
 * Routers and destinations over the bytes of IP packets: a packet in, the reply and the forwarded packet out.
 */
import type { DiscoveryIcmpTypes } from '../wire/discovery/reply-packets.js';
import { buildReplyPacket } from '../wire/discovery/reply-packets.js';
import type { DiscoveryOptionTypes, RequestPacket } from '../wire/discovery/request-packets.js';
import { forwardRequestPacket, parseRequestPacket } from '../wire/discovery/request-packets.js';
import type { RoceFcReply } from '../wire/discovery/roce-fc-icmp.js';
import { isIpv4Mapped } from '../wire/ip/ip-address.js';
import { requireChoice, sameBytes } from '../wire/bytes.js';
import { handleRequestAtDestination } from './destination.js';
import type { DiscoveryNode } from './node.js';
import { handleRequest } from './router.js';

/** Whom a node answers, and the numbers of its messages. */
export interface NodePacketOptions extends DiscoveryOptionTypes, DiscoveryIcmpTypes {
  /**
   * Whom a node answers. `source-only` (default): an originator that is the packet's source, as the disclosure's always
   * is ("sent with the same RoCEv2 Source (listed as the Originator address)"); else one request under a false
   * originator would send a reply of each node to a third party. `anyone`: the originator whatever the source.
   */
  readonly answers?: 'source-only' | 'anyone';
}

/** What a node does with a packet. */
export interface NodePacketOutcome {
  /** The node behind the packet: changed when it took a policy. */
  readonly node: DiscoveryNode;
  /** To the originator; absent when the node does not answer. */
  readonly replyPacket?: Uint8Array;
  /** To the next hop; absent at the destination, and when the hop limit is used up. */
  readonly forwardedPacket?: Uint8Array;
}

/**
 * A router's part: reply, hop count, hop limit, checksum. A node does not answer, but counts and forwards, when the
 * originator is not one to answer or is of another family than the node's address.
 *
 * @param bytes from the IP header on.
 * @returns undefined for a packet without request, which is none of discovery's business.
 * @throws RoceError `invalid-packet` as `parseRequestPacket`.
 */
export function routePacket(node: DiscoveryNode, bytes: Uint8Array, options: NodePacketOptions = {}): NodePacketOutcome
  | undefined {
  const packet = parseRequestPacket(bytes, options);
  if (packet === undefined) return undefined;
  const outcome = handleRequest(node, packet.request);
  const forwardedPacket = forwardRequestPacket(bytes, outcome.forwarded.outboundHopCount, options);
  const forwarding = forwardedPacket === undefined ? {} : { forwardedPacket };
  if (!isAnswered(node, packet, options)) return { node, ...forwarding };
  return { node: outcome.node, ...replying(node, packet, outcome.reply, options), ...forwarding };
}

/**
 * The destination's part: the reply.
 *
 * @param bytes from the IP header on.
 * @returns undefined for a packet without request.
 * @throws RoceError `invalid-packet` as `parseRequestPacket`.
 */
export function deliverPacket(node: DiscoveryNode, bytes: Uint8Array, options: NodePacketOptions = {}):
  | NodePacketOutcome
  | undefined {
  const packet = parseRequestPacket(bytes, options);
  if (packet === undefined) return undefined;
  if (!isAnswered(node, packet, options)) return { node };
  const outcome = handleRequestAtDestination(node, packet.request);
  return { node: outcome.node, ...replying(node, packet, outcome.reply, options) };
}

function isAnswered(node: DiscoveryNode, packet: RequestPacket,
  { answers = 'source-only' }: NodePacketOptions): boolean {
  requireChoice('answers', answers, ['source-only', 'anyone']);
  const { originator } = packet.request;
  if (isIpv4Mapped(originator) !== isIpv4Mapped(node.address)) return false;
  return answers === 'anyone' || sameBytes(originator, packet.source);
}

function replying(node: DiscoveryNode, { request }: RequestPacket, reply: RoceFcReply | undefined,
  types: DiscoveryIcmpTypes): { replyPacket?: Uint8Array } {
  if (reply === undefined) return {};
  const replyPacket = buildReplyPacket({ source: node.address, destination: request.originator, reply }, types);
  return { replyPacket };
}
