/** The planned transport of a flow. */
import type { NetworkPlan } from '../../../src/sim/plan.js';
import type { TransportKind } from '../../../src/sim/features/transports/plan.js';

const PLAIN: TransportKind = { transport: 'go-back-n', windowPackets: 1, retryCount: null, lossReaction: 'algorithm' };

export function transportOf({ transports }: NetworkPlan, flow: number): TransportKind {
  return transports === undefined ? PLAIN : transports.kinds[transports.kindOf[flow]];
}

/** The payload of a full packet of a flow. */
export function mtuBytesOf({ nodes, rules }: NetworkPlan, source: number): number {
  return nodes[source].mtuBytes ?? rules.mtuBytes;
}
