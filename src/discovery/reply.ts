/**
 * What routers and destinations have in common: the reply to a request, and its effect on the node.
 */
import { QosData } from '../wire/discovery/qos-data.js';
import { RoceFcIcmp, type RoceFcReply } from '../wire/discovery/roce-fc-icmp.js';
import { RoceFcOption, type RoceFcRequest } from '../wire/discovery/roce-fc-option.js';
import type { DiscoveryNode } from './node.js';
import { describeNode } from './node.js';
import { findRejection, withPolicy } from './policy.js';
import type { ReportedQos } from './support.js';
import { judgeSupport, readReportedQos } from './support.js';

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
export function isRequest(request: RoceFcRequest): boolean {
  return request.returnHopCount === RoceFcOption.REQUEST;
}

/**
 * Replies to a request. The node reports its configuration, whatever the code; after applying a policy, the new one.
 *
 * @param outboundHopCount count for the reply: incremented by a router, not by the destination.
 */
export function answerRequest(node: DiscoveryNode, request: RoceFcRequest, outboundHopCount: number,
  role: NodeRole): Answer {
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
