/**
 * The destination in lossless discovery (TDCommons 1652): it does not increment the hop count, and replies with flag 1.
 * So it and the last router report the same hop count and differ only in the flag.
 */
import { requireRecord } from '../wire/bytes.js';
import type { RoceFcReply } from '../wire/discovery/roce-fc-icmp.js';
import type { RoceFcRequest } from '../wire/discovery/roce-fc-option.js';
import type { DiscoveryNode } from './node.js';
import { answerRequest, isRequest } from './reply.js';

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
