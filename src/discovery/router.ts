/**
 * A router in lossless discovery (TDCommons 1652): it increments the hop count, replies to the originator with the
 * count and flag 0, and always forwards the request.
 */
import { requireRecord } from '../wire/bytes.js';
import type { RoceFcReply } from '../wire/discovery/roce-fc-icmp.js';
import type { RoceFcRequest } from '../wire/discovery/roce-fc-option.js';
import type { DiscoveryNode } from './node.js';
import { answerRequest, isRequest } from './reply.js';

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
