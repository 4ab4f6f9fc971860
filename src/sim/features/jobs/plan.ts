/** A job in the form that the kernel reads: a graph of operations, and the hosts of its ranks. */
import { PS_PER_SECOND } from '../../../units.js';
import { measureGraph } from '../../../workloads/graph/measure-graph.js';
import type { WorkloadGraph } from '../../../workloads/graph/workload-graph.js';
import type { Network } from '../../topology/network.js';

/** When messages are done, and how long sends and receives occupy their lanes. */
export interface MessagePlan {
  /** `acked`: at the last ACK. `delivered`: at the last byte. `issued`: as soon as it leaves. */
  readonly sendDone: 'acked' | 'delivered' | 'issued';
  /** Sends of up to this many bytes are done as under `issued`; 0: none. */
  readonly eagerBytes: number;
  /** `last-byte`: when the last byte is at the receiver. `last-ack`: when the sender has its ACK. */
  readonly receiveDone: 'last-byte' | 'last-ack';
  /** How long a send occupies its lane before its message leaves, picoseconds. */
  readonly sendOverheadPs: number;
  /** How long a receive occupies its lane once its message has arrived, picoseconds. */
  readonly receiveOverheadPs: number;
}

/** A job. Its flows are its sends between different hosts, in the order of its operations. */
export interface JobPlan extends MessagePlan {
  /** Name, for results. */
  readonly name: string;
  /** Its operations. */
  readonly graph: WorkloadGraph;
  /** Index of each rank's host. */
  readonly hosts: Uint32Array;
  /** Index of its first flow. */
  readonly firstFlow: number;
  /** Number of its flows. */
  readonly flows: number;
  /** Indices of its flows without an end, which send until the run ends. */
  readonly endless: readonly number[];
  /** Delay of its start after time 0, or after the previous job, whole picoseconds. */
  readonly startPs: number;
  /** Index of an earlier job that must be done first; -1: none. */
  readonly after: number;
}

/** Bits on the wire per byte of a message, with headers and the possible retransmissions. */
const WIRE_BITS_PER_BYTE = 100;

/** An upper bound on the completion of jobs: the time of all computes and all messages, one after the other over the slowest link. */
export function serialPs(jobs: readonly JobPlan[], { links }: Network): number {
  const slowestBps = links.reduce((slowest, { rateBps }) => Math.min(slowest, rateBps), Infinity);
  return jobs.reduce((sumPs, { graph, startPs }) => {
    const { computePs, bytes } = measureGraph(graph, false);
    return sumPs + startPs + computePs + Math.ceil((bytes * WIRE_BITS_PER_BYTE / slowestBps) * PS_PER_SECOND);
  }, 0);
}
