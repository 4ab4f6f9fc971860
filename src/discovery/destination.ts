/**
 * The destination in lossless discovery (TDCommons 1652): it does not count, and replies with flag 1. So it and the
 * last router tell the same hop count, and only the flag keeps them apart.
 */
import { requireRecord } from '../wire/bytes.js';
import type { RoceFcReply } from '../wire/discovery/roce-fc-icmp.js';
import type { RoceFcRequest } from '../wire/discovery/roce-fc-option.js';
import type { DiscoveryNode } from './node.js';
import { answerRequest, isRequest } from './reply.js';

/** What a destination does about a message. */
export interface DestinationOutcome {
  /** To `request.originator`; absent for what is no request. */
  readonly reply?: RoceFcReply;
  /** The node behind the request: changed when it took a policy. */
  readonly node: DiscoveryNode;
}

/**
 * Handles a request at its destination. What carried it, a ping for instance, is answered elsewhere.
 *
 * Source: TDCommons 1652, "The final Destination handles packets as follows".
 */
export function handleRequestAtDestination(node: DiscoveryNode, request: RoceFcRequest): DestinationOutcome {
  requireRecord('node', node);
  requireRecord('request', request);
  if (!isRequest(request)) return { node };
  return answerRequest(node, request, request.outboundHopCount, 'final-destination');
}
