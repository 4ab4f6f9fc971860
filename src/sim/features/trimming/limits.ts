/** The queue limits of a port with packet trimming, and whether a port is the last hop. */
import type { NetworkPlan } from '../../plan.js';
import type { TrimmingPlan } from './plan.js';

type Ports = Pick<NetworkPlan, 'nodes' | 'ports'>;

/** Whether a port leads to a host or to a host's adapter. */
export function leadsToHost({ nodes, ports }: Ports, port: number): boolean {
  const { kind, isAdapter } = nodes[ports[ports[port].peerPort].node];
  return kind === 'host' || isAdapter === true;
}

/** Limit of a class's queue at a port; undefined: no limit, as in adapters. */
export function trimmingLimit(plan: TrimmingPlan, network: Ports, port: number, trafficClass: number): number
  | undefined {
  if (network.nodes[network.ports[port].node].isAdapter === true) return undefined;
  if (trafficClass === plan.trafficClass) return plan.trimmedQueueBytes;
  if ((plan.dataClasses & (1 << trafficClass)) === 0) return undefined;
  return leadsToHost(network, port) ? plan.lastHopQueueBytes : plan.queueBytes;
}
