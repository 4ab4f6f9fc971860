/**
 * A router in lossless discovery (TDCommons 1652): it counts the hop up, replies to the originator with the count and
 * flag 0, and sends the request on, whatever it answered.
 */
import { requireRecord } from '../wire/bytes.js';
import type { RoceFcReply } from '../wire/discovery/roce-fc-icmp.js';
import type { RoceFcRequest } from '../wire/discovery/roce-fc-option.js';
import type { DiscoveryNode } from './node.js';
import { answerRequest, isRequest } from './reply.js';

/** Largest outbound hop count: 16 bits. */
export const HOP_COUNT_MAX = 0xffff;

/** What a router does about a message. */
export interface RouterOutcome {
  /** To `request.originator`; absent for what is no request, and when the hop count can't go up any more. */
  readonly reply?: RoceFcReply;
  /** To the next hop. */
  readonly forwarded: RoceFcRequest;
  /** The node behind the request: changed when it took a policy. */
  readonly node: DiscoveryNode;
}

/**
 * Handles a request on its way.
 *
 * A return hop count other than 65535 makes it no request: it goes on untouched. So does a request whose 16 bits of hop
 * count are used up: a count that wraps would pass for another node's.
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
