/** Routers and destinations at packet level: take an IP packet, return the reply and the forwarded packet. */
import { requireChoice, sameBytes, requireRecord } from '../wire/bytes.js';
import { QosData } from '../wire/discovery/qos-data.js';
import { type DiscoveryIcmpTypes, ReplyPacket, type DiscoveryOptionTypes,
  RequestPacket } from '../wire/discovery/packets.js';
import { RoceFcIcmp, type RoceFcReply, RoceFcOption, type RoceFcRequest } from '../wire/discovery/roce-fc.js';
import { isIpv4Mapped } from '../wire/ip/ip-address.js';
import { describeNode, type DiscoveryNode } from './node.js';
import { findRejection, withPolicy, judgeSupport, readReportedQos, type ReportedQos } from './policy.js';

/** Which originators a node replies to, and the option and ICMP types of its messages. */
export interface NodePacketOptions extends DiscoveryOptionTypes, DiscoveryIcmpTypes {
  /**
   * Which originators a node replies to. `source-only` (default): only if the originator is the packet's source, as the
   * disclosure has it ("sent with the same RoCEv2 Source (listed as the Originator address)"); this keeps a request
   * with a forged originator from making every node reply to a third party. `anyone`: any originator.
   */
  readonly replyTo?: 'source-only' | 'anyone';
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
  { replyTo = 'source-only' }: NodePacketOptions): boolean {
  requireChoice('replyTo', replyTo, ['source-only', 'anyone']);
  const { originator } = packet.request;
  if (isIpv4Mapped(originator) !== isIpv4Mapped(node.address)) return false;
  return replyTo === 'anyone' || sameBytes(originator, packet.source);
}

function replying(node: DiscoveryNode, { request }: RequestPacket, reply: RoceFcReply | undefined,
  types: DiscoveryIcmpTypes): { replyPacket?: Uint8Array } {
  if (reply === undefined) return {};
  const replyPacket = ReplyPacket.write({ source: node.address, destination: request.originator, reply }, types);
  return { replyPacket };
}

/*
 * A router in lossless discovery (TDCommons 1652): it increments the hop count, replies to the originator with the
 * count and flag 0, and always forwards the request.
 */

/** Largest outbound hop count: 16 bits. */
export const HOP_COUNT_MAX = 0xffff;

/** The result of a message at a router. */
export interface RouterOutcome {
  /** Reply to `request.originator`; absent if the message is not a request, or the hop count is at its maximum. */
  readonly reply?: RoceFcReply;
  /** Message for the next hop. */
  readonly forwarded: RoceFcRequest;
  /** The node after the request: changed if it applied a policy. */
  readonly node: DiscoveryNode;
}

/**
 * Handles a request in transit.
 *
 * A message with a return hop count other than 65535 is not a request and is forwarded unchanged. So is a request whose
 * 16-bit hop count is at its maximum: a wrapped count would be mistaken for another node's.
 *
 * Source: TDCommons 1652, "An intermediate router handles packets as follows".
 */
export function handleRequest(node: DiscoveryNode, request: RoceFcRequest): RouterOutcome {
  requireRecord('node', node);
  requireRecord('request', request);
  if (!isRequest(request) || request.outboundHopCount >= HOP_COUNT_MAX) return { forwarded: request, node };
  const outboundHopCount = request.outboundHopCount + 1;
  const answer = answerRequest(node, request, outboundHopCount, 'transit');
  return { ...answer, forwarded: { ...request, outboundHopCount } };
}

/*
 * The destination in lossless discovery (TDCommons 1652): it does not increment the hop count, and replies with flag 1.
 * So it and the last router report the same hop count and differ only in the flag.
 */

/** The result of a message at the destination. */
export interface DestinationOutcome {
  /** Reply to `request.originator`; absent if the message is not a request. */
  readonly reply?: RoceFcReply;
  /** The node after the request: changed if it applied a policy. */
  readonly node: DiscoveryNode;
}

/**
 * Handles a request at its destination. The packet that carries the request, such as a ping, is replied to elsewhere.
 *
 * Source: TDCommons 1652, "The final Destination handles packets as follows".
 */
export function handleRequestAtDestination(node: DiscoveryNode, request: RoceFcRequest): DestinationOutcome {
  requireRecord('node', node);
  requireRecord('request', request);
  if (!isRequest(request)) return { node };
  return answerRequest(node, request, request.outboundHopCount, 'final-destination');
}

/*
 * What routers and destinations have in common: the reply to a request, and its effect on the node.
 */

/** Router or destination. */
export type NodeRole = 'transit' | 'final-destination';

/** A node's reply to a request, and its new state. */
export interface Answer {
  /** The reply to send. */
  readonly reply: RoceFcReply;
  /** The node after the request: changed if it applied a policy. */
  readonly node: DiscoveryNode;
}

/** Whether a message is a request: its return hop count is 65535. */
function isRequest(request: RoceFcRequest): boolean {
  return request.returnHopCount === RoceFcOption.REQUEST;
}

/**
 * Replies to a request. The node reports its configuration, whatever the code; after applying a policy, the new one.
 *
 * @param outboundHopCount count for the reply: incremented by a router, not by the destination.
 */
function answerRequest(node: DiscoveryNode, request: RoceFcRequest, outboundHopCount: number, role: NodeRole): Answer {
  const wanted = readReportedQos(request.data);
  const { node: after, kind, rejection } = takePolicy(node, wanted, request.originator);
  const reply = {
    code: judgeSupport(after, wanted),
    idNumber: request.idNumber,
    flags: role === 'final-destination' ? RoceFcIcmp.FINAL_DESTINATION : RoceFcIcmp.TRANSIT,
    outboundHopCount,
    returnHopCount: returnHopCount(node, request, outboundHopCount),
    data: QosData.write(describeNode(after, kind, rejection)),
  };
  return { reply, node: after };
}

interface PolicyStep {
  readonly node: DiscoveryNode;
  readonly kind: number;
  readonly rejection?: number;
}

function takePolicy(node: DiscoveryNode, wanted: ReportedQos, originator: Uint8Array): PolicyStep {
  if (wanted.state !== 'reported' || wanted.qos.kind !== QosData.KIND_APPLY) return { node, kind: QosData.KIND_STATE };
  const rejection = findRejection(node, wanted.qos, originator);
  if (rejection !== 0) return { node, kind: QosData.KIND_REJECTED, rejection };
  return { node: withPolicy(node, wanted.qos), kind: QosData.KIND_TAKEN };
}

function returnHopCount(node: DiscoveryNode, request: RoceFcRequest, outboundHopCount: number): number {
  switch (node.returnHopCount) {
    case 'hop-number':
      return outboundHopCount;
    case 'copied':
      return request.returnHopCount;
    case 'zero':
      return 0;
  }
}
