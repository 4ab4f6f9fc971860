/** Packet trimming in switches, in the form that the kernel reads. Part of a `NetworkPlan`. */

import type { NetworkPlan } from './plan.js';

/** Packet trimming of all switches; bytes of queues include headers. */
export interface TrimmingPlan {
  /** Length of a trimmed packet. */
  readonly lenBytes: number;
  /** Its class. */
  readonly trafficClass: number;
  /** Bit c: data of class c is trimmed. */
  readonly dataClasses: number;
  /** Limit of the queue of such a class at ports that lead to switches. */
  readonly queueBytes: number;
  /** The same at ports that lead to hosts. */
  readonly lastHopQueueBytes: number;
  /** Limit of the queue that trimmed packets join. */
  readonly trimmedQueueBytes: number;
}

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
