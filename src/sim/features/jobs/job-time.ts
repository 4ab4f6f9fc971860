/** An upper bound on the completion of jobs. */
import { PS_PER_SECOND } from '../../../unit-sizes.js';
import { measureGraph } from '../../../workloads/graph/measure-graph.js';
import type { JobPlan } from './plan.js';
import type { Network } from '../../topology/network.js';

/** Bits on the wire per byte of a message, with headers and the possible retransmissions. */
const WIRE_BITS_PER_BYTE = 100;

/** Time of all computes and all messages, one after the other over the slowest link. */
export function serialPs(jobs: readonly JobPlan[], { links }: Network): number {
  const slowestBps = links.reduce((slowest, { rateBps }) => Math.min(slowest, rateBps), Infinity);
  return jobs.reduce((sumPs, { graph, startPs }) => {
    const { computePs, bytes } = measureGraph(graph, false);
    return sumPs + startPs + computePs + Math.ceil((bytes * WIRE_BITS_PER_BYTE / slowestBps) * PS_PER_SECOND);
  }, 0);
}
