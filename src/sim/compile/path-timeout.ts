/**
 * The default retransmission timeout: the longest time that the queues on the flow's path can hold a packet, so that a timeout
 * implies a loss.
 *
 *   longest wait = delays of the links, both directions + sum over the path's switches of (packet memory / rate of the
 *     port towards the destination)
 *   path timeout = the smallest 4.096 us 2^n, n whole, that is not below it: the values that adapters support
 *
 * Memory is shared, so a single queue can fill it. Pauses can make a packet wait longer, but only while other ports drain the
 * same memory. Source of the steps: IBTA volume 1, section 11.2 ("Local ACK Timeout"). The usual setting of adapters, 14 (67
 * ms), is longer than any value computed here.
 */
import { float64ArrayOf } from '../float64-array-of.js';
import type { NetworkPlan } from '../plan.js';
import type { Path } from './paths.js';

const STEP_PS = 4_096_000;
const BIT_PS_PER_BYTE = 8e12;

/** Maximum delay of a packet at each port, including its link and the ACK's return over it; picoseconds. */
export function longestWaits({ nodes, ports }: Pick<NetworkPlan, 'nodes' | 'ports'>): Float64Array {
  return float64ArrayOf(ports,
    ({ node, rateBps, delayPs, peerPort }) =>
      delayPs + ports[peerPort].delayPs + (nodes[node].bufferBytes * BIT_PS_PER_BYTE) / rateBps);
}

/** The default retransmission timeout of a path. @param path egress ports. @param waits longest wait at each port. */
export function pathTimeoutPs(path: Path, waits: Float64Array): number {
  let longestPs = 0;
  for (const port of path) longestPs += waits[port];
  let pathTimeout = STEP_PS;
  while (pathTimeout < longestPs) pathTimeout *= 2;
  return pathTimeout;
}
