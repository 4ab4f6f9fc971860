/** Routers and destinations at packet level: take an IP packet, return the reply and the forwarded packet. */
import { type DiscoveryIcmpTypes, ReplyPacket } from '../wire/discovery/reply-packets.js';
import { type DiscoveryOptionTypes, RequestPacket } from '../wire/discovery/request-packets.js';
import type { RoceFcReply } from '../wire/discovery/roce-fc-icmp.js';
import { isIpv4Mapped } from '../wire/ip/ip-address.js';
import { requireChoice, sameBytes } from '../wire/bytes.js';
import { handleRequestAtDestination } from './destination.js';
import type { DiscoveryNode } from './node.js';
import { handleRequest } from './router.js';

/** Which originators a node replies to, and the option and ICMP types of its messages. */
export interface NodePacketOptions extends DiscoveryOptionTypes, DiscoveryIcmpTypes {
  /**
   * Which originators a node replies to. `source-only` (default): only if the originator is the packet's source, as the
   * disclosure has it ("sent with the same RoCEv2 Source (listed as the Originator address)"); this keeps a request
   * with a forged originator from making every node reply to a third party. `anyone`: any originator.
   */
  readonly answers?: 'source-only' | 'anyone';
}

/** The result of a packet at a node. */
export interface NodePacketOutcome {
  /** The node after the packet: changed if it took a policy. */
  readonly node: DiscoveryNode;
  /** Reply to the originator; absent if the node does not reply. */
  readonly replyPacket?: Uint8Array;
  /** Packet for the next hop; absent at the destination, and if the hop limit has expired. */
  readonly forwardedPacket?: Uint8Array;
}

/**
 * Acts as a router: replies, and forwards the packet with hop count, hop limit and checksum updated. It forwards
 * without a reply if it must not reply to the originator, or has no address of its family.
 *
 * @param bytes from the IP header on.
 * @returns undefined for a packet without a request.
 * @throws RoceError `invalid-packet` like `RequestPacket.read`.
 */
export function routePacket(node: DiscoveryNode, bytes: Uint8Array, options: NodePacketOptions = {}): NodePacketOutcome
  | undefined {
  const packet = RequestPacket.read(bytes, options);
  if (packet === undefined) return undefined;
  const outcome = handleRequest(node, packet.request);
  const forwardedPacket = RequestPacket.forward(bytes, outcome.forwarded.outboundHopCount, options);
  const forwarding = forwardedPacket === undefined ? {} : { forwardedPacket };
  if (!isAnswered(node, packet, options)) return { node, ...forwarding };
  return { node: outcome.node, ...replying(node, packet, outcome.reply, options), ...forwarding };
}

/**
 * Acts as the destination: only replies.
 *
 * @param bytes from the IP header on.
 * @returns undefined for a packet without a request.
 * @throws RoceError `invalid-packet` like `RequestPacket.read`.
 */
export function deliverPacket(node: DiscoveryNode, bytes: Uint8Array, options: NodePacketOptions = {}):
  | NodePacketOutcome
  | undefined {
  const packet = RequestPacket.read(bytes, options);
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
  const replyPacket = ReplyPacket.write({ source: node.address, destination: request.originator, reply }, types);
  return { replyPacket };
}
