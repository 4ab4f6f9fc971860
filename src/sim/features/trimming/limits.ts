/** The limits of a port's queues with packet trimming, and whether a packet trimmed there is trimmed at the last hop. */
import type { NetworkPlan } from '../../plan.js';
import type { TrimmingPlan } from './plan.js';

type Ports = Pick<NetworkPlan, 'nodes' | 'ports'>;

/** Whether a port leads to a host, or to the adapter of one. */
export function leadsToHost({ nodes, ports }: Ports, port: number): boolean {
  const { kind, isAdapter } = nodes[ports[ports[port].peerPort].node];
  return kind === 'host' || isAdapter === true;
}

/** Limit of a port's queue of a class; undefined: it has none, as in adapters. */
export function trimmingLimit(plan: TrimmingPlan, network: Ports, port: number, trafficClass: number): number
  | undefined {
  if (network.nodes[network.ports[port].node].isAdapter === true) return undefined;
  if (trafficClass === plan.trafficClass) return plan.trimmedQueueBytes;
  if ((plan.dataClasses & (1 << trafficClass)) === 0) return undefined;
  return leadsToHost(network, port) ? plan.lastHopQueueBytes : plan.queueBytes;
}
