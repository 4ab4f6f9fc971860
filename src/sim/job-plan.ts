/** A job as the kernel is given it: a graph of operations, and where its ranks are. */
import type { WorkloadGraph } from '../workloads/graph/workload-graph.js';

/** When messages are done, and what sends and receives hold their lanes for. */
export interface MessagePlan {
  /** `acked`: at the last ACK. `delivered`: at the last byte. `issued`: as soon as it leaves. */
  readonly sendDone: 'acked' | 'delivered' | 'issued';
  /** Sends of up to so many bytes are done as `issued`; 0: none. */
  readonly eagerBytes: number;
  /** `last-byte`: when it is at the receiver. `last-ack`: when the sender knows that. */
  readonly receiveDone: 'last-byte' | 'last-ack';
  /** A send holds its lane so long before its message leaves, picoseconds. */
  readonly sendOverheadPs: number;
  /** A receive, when its message is there, picoseconds. */
  readonly receiveOverheadPs: number;
}

/** One job. Its flows are those of its sends between different hosts, in the order of its operations. */
export interface JobPlan extends MessagePlan {
  /** Name, for results. */
  readonly name: string;
  /** What it does. */
  readonly graph: WorkloadGraph;
  /** Index of each rank's host. */
  readonly hosts: Uint32Array;
  /** Index of its first flow. */
  readonly firstFlow: number;
  /** Number of its flows. */
  readonly flows: number;
  /** Begins so long after time 0, or after the job before it, whole picoseconds. */
  readonly startPs: number;
  /** Index of a job that must be done before, smaller than its own; -1: none. */
  readonly after: number;
}
