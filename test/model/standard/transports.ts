/** The transport of a flow, as planned. */
import type { NetworkPlan } from '../../../src/sim/plan.js';
import type { TransportKind } from '../../../src/sim/features/transports/plan.js';

const PLAIN: TransportKind = { transport: 'go-back-n', windowPackets: 1, retryCount: null, lossReaction: 'algorithm' };

export function transportOf({ transports }: NetworkPlan, flow: number): TransportKind {
  return transports === undefined ? PLAIN : transports.kinds[transports.kindOf[flow]];
}

/** Payload of the full packets of a flow. */
export function mtuBytesOf({ nodes, rules }: NetworkPlan, source: number): number {
  return nodes[source].mtuBytes ?? rules.mtuBytes;
}
