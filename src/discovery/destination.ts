/**
 * The destination in lossless discovery (TDCommons 1652): it does not increment the hop count, and replies with flag 1. So
 * it and the last router report the same hop count, and only the flag tells them apart.
 */
import { requireRecord } from '../wire/bytes.js';
import type { RoceFcReply } from '../wire/discovery/roce-fc-icmp.js';
import type { RoceFcRequest } from '../wire/discovery/roce-fc-option.js';
import type { DiscoveryNode } from './node.js';
import { answerRequest, isRequest } from './reply.js';

/** The result of a message at the destination. */
export interface DestinationOutcome {
  /** To `request.originator`; absent if the message is not a request. */
  readonly reply?: RoceFcReply;
  /** The node after the request: changed if it took a policy. */
  readonly node: DiscoveryNode;
}

/**
 * Handles a request at its destination. The packet that carries it, such as a ping, gets its own reply elsewhere.
 *
 * Source: TDCommons 1652, "The final Destination handles packets as follows".
 */
export function handleRequestAtDestination(node: DiscoveryNode, request: RoceFcRequest): DestinationOutcome {
  requireRecord('node', node);
  requireRecord('request', request);
  if (!isRequest(request)) return { node };
  return answerRequest(node, request, request.outboundHopCount, 'final-destination');
}
