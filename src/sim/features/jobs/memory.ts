/**
 * Writes jobs into the kernel's memory (operations, dependents, channels, and the flows of sends), and reads the state of their
 * operations.
 */
import { CHANNEL, OPERATION, RECEIVED_AT_LAST_ACK, SEND_DONE_DELIVERED,
  SEND_DONE_ISSUED } from '../../../abi/records/graph.js';
import { SIM_FLOW } from '../../../abi/records/network.js';
import { SIM_CHANNELS, SIM_FLOWS, SIM_NONE, SIM_OPERATION_EDGES, SIM_OPERATIONS } from '../../../abi/sim-codes.js';
import { forEachOperation } from '../../../workloads/graph/check-graph.js';
import { ANY, COMPUTE, NO_LANE, SEND } from '../../../workloads/graph/workload-graph.js';
import type { KernelPart } from '../../kernel/kernel-part.js';
import type { SimAbi } from '../../kernel/sim-abi.js';
import { leavesOf, rootsOf, startEdgesOf, type GraphLayout, type JobLayout } from './layout.js';
import type { JobPlan } from './plan.js';

export const JOBS_MEMORY: KernelPart = {
  capacity: ({ endsWithJobs }, { graph: { operations, edges, lanes, channels, queues } }) => ({
    operations,
    edges,
    lanes,
    channels,
    operationQueues: queues,
    endsWithJobs: endsWithJobs === true,
  }),
  write: (abi, _, { graph, messages }) => {
    writeJobs(abi, graph, messages !== undefined);
  },
};

/** Writes all jobs. @param areRecordsShared whether messages share flow records instead of having their own. */
function writeJobs(abi: SimAbi, graph: GraphLayout, areRecordsShared: boolean): void {
  if (graph.jobs.length === 0) return;
  const writer = new JobWriter(abi, areRecordsShared);
  for (const job of graph.jobs) writer.job(job);
  writer.begins(graph);
}

class JobWriter {
  readonly #u8: Uint8Array;
  readonly #u32: Uint32Array;
  readonly #f64: Float64Array;
  readonly #operations: number;
  readonly #edges: number;
  readonly #channels: number;
  readonly #flows: number;
  readonly #areRecordsShared: boolean;

  constructor(abi: SimAbi, areRecordsShared: boolean) {
    this.#areRecordsShared = areRecordsShared;
    this.#u8 = new Uint8Array(abi.memory.buffer);
    this.#u32 = new Uint32Array(abi.memory.buffer);
    this.#f64 = new Float64Array(abi.memory.buffer);
    [this.#operations, this.#edges, this.#channels, this.#flows] = [
      SIM_OPERATIONS,
      SIM_OPERATION_EDGES,
      SIM_CHANNELS,
      SIM_FLOWS,
    ].map((region) => abi.simRegion(region) >>> 0);
  }

  job(place: JobLayout): void {
    const { job, firstOperation, firstEdge } = place;
    const { graph } = job;
    const { edges } = graph.edges;
    const edgesAt = (this.#edges >>> 2) + firstEdge;
    for (let edge = 0; edge < edges.length; edge++) this.#u32[edgesAt + edge] = firstOperation + edges[edge];
    let flow = job.firstFlow;
    forEachOperation(graph, (operation, rank) => {
      const at = this.#operations + (firstOperation + operation) * OPERATION.bytes;
      this.#common(at, place, operation, rank);
      const kind = graph.operations.kind[operation];
      if (kind === SEND) flow += this.#send(at, place, operation, { rank, flow });
      else if (kind !== COMPUTE) this.#receive(at, place, operation, rank);
    });
    this.#writeChannels(place);
  }

  #common(at: number, { job, firstEdge, laneOf }: JobLayout, operation: number, rank: number): void {
    const { operations, edges } = job.graph;
    const lane = operations.lane[operation];
    const first = edges.firstEdge[operation];
    this.#u8[at + OPERATION.at.kind] = operations.kind[operation];
    this.#setU32(at + OPERATION.at.waitsFor, edges.waitsFor[operation]);
    this.#setU32(at + OPERATION.at.lane, lane === NO_LANE ? SIM_NONE : laneOf[rank] + lane);
    this.#setU32(at + OPERATION.at.flow, SIM_NONE);
    this.#setU32(at + OPERATION.at.firstEdge, firstEdge + first);
    this.#setU32(at + OPERATION.at.endEdges, edges.endEdges[operation]);
    this.#setU32(at + OPERATION.at.startEdges, startEdgesOf(edges, operation));
    this.#setF64(at + OPERATION.at.durationPs, durationPs(job, operation));
  }

  /** Writes a send; returns its number of flows, 0 or 1. */
  #send(at: number, { job, matching, firstChannel, firstOperation }: JobLayout, operation: number,
    { rank, flow }: { readonly rank: number; readonly flow: number }): number {
    const { peer, amount } = job.graph.operations;
    this.#u8[at + OPERATION.at.flags] = flagsOf(job, amount[operation]);
    this.#setU32(at + OPERATION.at.channel, firstChannel + matching.channelOf[operation]);
    if (job.hosts[rank] === job.hosts[peer[operation]]) return 0;
    this.#setU32(at + OPERATION.at.flow, flow);
    if (!this.#areRecordsShared)
      this.#setU32(this.#flows + flow * SIM_FLOW.bytes + SIM_FLOW.at.operation, firstOperation + operation + 1);
    return 1;
  }

  #receive(at: number, place: JobLayout, operation: number, rank: number): void {
    const { job, matching, wildcards, firstChannel, firstWildcard, arrivalsOf } = place;
    const { peer, tag } = job.graph.operations;
    const channel = matching.channelOf[operation];
    if (channel >= 0) {
      this.#setU32(at + OPERATION.at.channel, firstChannel + channel);
      return;
    }
    const wildcard = wildcards.find(peer[operation], rank, tag[operation]);
    this.#setU32(at + OPERATION.at.channel, firstWildcard + wildcard);
    this.#setU32(at + OPERATION.at.flow, arrivalsOf[rank]);
  }

  #writeChannels({ matching: { channels }, wildcards, firstChannel, firstWildcard, arrivalsOf }: JobLayout): void {
    const queueOf = (source: number, destination: number, tag: number): number => {
      const found = wildcards.find(source, destination, tag);
      return found < 0 ? SIM_NONE : firstWildcard + found;
    };
    for (let channel = 0; channel < channels.length; channel++) {
      const at = this.#channels + (firstChannel + channel) * CHANNEL.bytes;
      const [source, destination] = [channels.sourceOf(channel), channels.destinationOf(channel)];
      const tag = channels.tagOf(channel);
      const arrivals = arrivalsOf[destination];
      this.#setU32(at + CHANNEL.at.arrivals, arrivals < 0 ? SIM_NONE : arrivals);
      this.#setU32(at + CHANNEL.at.anySource, queueOf(ANY, destination, tag));
      this.#setU32(at + CHANNEL.at.anyTag, queueOf(source, destination, ANY));
      this.#setU32(at + CHANNEL.at.any, queueOf(ANY, destination, ANY));
    }
  }

  /**
   * Writes the operations that begin jobs. Each is a delay without a lane, between the leaves of the job before and the roots
   * of its job.
   */
  begins({ jobs }: GraphLayout): void {
    const extra = new Map<number, number[]>();
    const wait = (operation: number, awaited: number): void => {
      const waiting = extra.get(awaited);
      if (waiting === undefined) extra.set(awaited, [operation]);
      else waiting.push(operation);
      const at = this.#operations + operation * OPERATION.bytes + OPERATION.at.waitsFor;
      this.#setU32(at, this.#u32[at >>> 2] + 1);
    };
    for (const { job, beginOperation, firstOperation } of jobs) {
      if (beginOperation < 0) continue;
      const at = this.#operations + beginOperation * OPERATION.bytes;
      this.#u8[at + OPERATION.at.kind] = COMPUTE;
      this.#setU32(at + OPERATION.at.lane, SIM_NONE);
      this.#setU32(at + OPERATION.at.flow, SIM_NONE);
      this.#setF64(at + OPERATION.at.durationPs, job.startPs);
      for (const root of rootsOf(job.graph)) wait(firstOperation + root, beginOperation);
      const before = job.after < 0 ? undefined : jobs[job.after];
      for (const leaf of before === undefined ? [] : leavesOf(before.job.graph)) {
        wait(beginOperation, (before?.firstOperation ?? 0) + leaf);
      }
    }
    this.#writeExtra(extra, jobs.reduce((sum, { job }) => sum + job.graph.edges.edges.length, 0));
  }

  /**
   * Writes edges from the ends of leaves and of beginning operations, which have no other such edges. A leaf's edges from its
   * start move behind them.
   */
  #writeExtra(extra: ReadonlyMap<number, readonly number[]>, firstEdge: number): void {
    let next = firstEdge;
    for (const [operation, waiting] of extra) {
      const at = this.#operations + operation * OPERATION.bytes;
      const before = this.#u32[(at + OPERATION.at.firstEdge) >>> 2];
      const starts = this.#u32[(at + OPERATION.at.startEdges) >>> 2];
      this.#setU32(at + OPERATION.at.firstEdge, next);
      this.#setU32(at + OPERATION.at.endEdges, waiting.length);
      const all = [...waiting, ...this.#u32.slice((this.#edges >>> 2) + before, (this.#edges >>> 2) + before + starts)];
      for (const one of all) this.#u32[(this.#edges >>> 2) + next++] = one;
    }
  }

  #setU32(at: number, value: number): void {
    this.#u32[at >>> 2] = value;
  }

  #setF64(at: number, value: number): void {
    this.#f64[at >>> 3] = value;
  }
}

function durationPs({ graph: { operations }, sendOverheadPs, receiveOverheadPs }: JobPlan, operation: number): number {
  const kind = operations.kind[operation];
  return kind === COMPUTE ? operations.amount[operation] : kind === SEND ? sendOverheadPs : receiveOverheadPs;
}

function flagsOf({ sendDone, eagerBytes, receiveDone }: JobPlan, sizeBytes: number): number {
  const isIssued = sendDone === 'issued' || sizeBytes <= eagerBytes;
  const done = isIssued ? SEND_DONE_ISSUED : sendDone === 'delivered' ? SEND_DONE_DELIVERED : 0;
  return done | (receiveDone === 'last-ack' ? RECEIVED_AT_LAST_ACK : 0);
}

/** The state of a job's operations; each column is indexed by operation. Times in picoseconds. */
export interface RawJob {
  /**
   * OPERATION_WAITS to OPERATION_DONE: 0 waits for other operations, 1 waits for its lane, 2 runs, 3 claims its lane, 4 is
   * done.
   */
  readonly state: Uint8Array;
  /** When it began; meaningless before. */
  readonly startPs: Float64Array;
  /** When it was done; meaningless before. */
  readonly endPs: Float64Array;
  /** The operation of the job whose end, or start, let it begin; -1: none. */
  readonly cause: Int32Array;
  /** The send of a receive, the receive of a send; -1: none. */
  readonly match: Int32Array;
}

/** Reads the operations of a job. @param operations address of the first record. */
export function readJob(view: DataView, operations: number, first: number, length: number): RawJob {
  const raw: RawJob = {
    state: new Uint8Array(length),
    startPs: new Float64Array(length),
    endPs: new Float64Array(length),
    cause: new Int32Array(length),
    match: new Int32Array(length),
  };
  const ofJob = (number: number): number => (number >= first && number < first + length ? number - first : -1);
  for (let index = 0; index < length; index++) {
    const at = operations + (first + index) * OPERATION.bytes;
    raw.state[index] = view.getUint8(at + OPERATION.at.state);
    raw.startPs[index] = view.getFloat64(at + OPERATION.at.startPs, true);
    raw.endPs[index] = view.getFloat64(at + OPERATION.at.endPs, true);
    raw.cause[index] = ofJob(view.getUint32(at + OPERATION.at.cause, true));
    raw.match[index] = ofJob(view.getUint32(at + OPERATION.at.match, true));
  }
  return raw;
}
