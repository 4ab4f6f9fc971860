/**
 * Layout of jobs in the kernel's records: all operations in order, job by job, followed by one operation per job that begins it
 * at its start time or after another job. Lanes, channels and queues are laid out in the same way.
 */
import { ChannelTable } from '../../../workloads/graph/channels.js';
import { forEachOperation, matchingOf, type Matching } from '../../../workloads/graph/check-graph.js';
import { ANY, NO_LANE, RECEIVE, type EdgeColumns,
  type WorkloadGraph } from '../../../workloads/graph/workload-graph.js';
import type { JobPlan } from './plan.js';

/** One job's share of the records. */
export interface JobLayout {
  readonly job: JobPlan;
  readonly firstOperation: number;
  /** The operation that begins the job; -1: it begins at time 0. */
  readonly beginOperation: number;
  readonly firstEdge: number;
  /** Number of each rank's lane 0. */
  readonly laneOf: Uint32Array;
  readonly matching: Matching;
  /** Number of the job's first channel. Each channel has the queue of the same number. */
  readonly firstChannel: number;
  /** Wildcard receives, by what they match. Their queues follow those of all channels. */
  readonly wildcards: ChannelTable;
  readonly firstWildcard: number;
  /** Queue of each rank's arrivals; -1: not needed. */
  readonly arrivalsOf: Int32Array;
}

/** The layout of all jobs, and the total sizes. */
export interface GraphLayout {
  readonly jobs: readonly JobLayout[];
  readonly operations: number;
  readonly edges: number;
  readonly lanes: number;
  readonly channels: number;
  readonly queues: number;
}

export function layOutJobs(jobs: readonly JobPlan[]): GraphLayout {
  const counts = { operations: 0, edges: 0, lanes: 0, channels: 0, queues: 0 };
  let beginOperation = jobs.reduce((sum, { graph }) => sum + graph.length, 0);
  const matchings = jobs.map(({ graph }) => matchingOf(graph));
  counts.queues = matchings.reduce((sum, { channels }) => sum + channels.length, 0);
  const layouts = jobs.map((job, index) => {
    const { graph } = job;
    const matching = matchings[index];
    const wildcards = wildcardsOf(graph);
    const hasBegin = job.startPs > 0 || job.after >= 0;
    const layout: JobLayout = {
      job,
      firstOperation: counts.operations,
      beginOperation: hasBegin ? beginOperation++ : -1,
      firstEdge: counts.edges,
      laneOf: lanesFrom(graph, counts.lanes),
      matching,
      firstChannel: counts.channels,
      wildcards,
      firstWildcard: counts.queues,
      arrivalsOf: arrivalQueues(matching, counts.queues + wildcards.length),
    };
    counts.operations += graph.length;
    counts.edges += graph.edges.edges.length;
    counts.lanes = layout.laneOf[graph.ranks];
    counts.channels += matching.channels.length;
    counts.queues += wildcards.length + matching.hasWildcard.reduce((sum, has) => sum + has, 0);
    return layout;
  });
  const extra = extraEdges(layouts);
  return { jobs: layouts, ...counts, operations: beginOperation, edges: counts.edges + extra };
}

/** Operations that wait for no other operation of their job. */
export function rootsOf({ edges: { waitsFor } }: WorkloadGraph): number[] {
  return indicesWhere(waitsFor.length, (operation) => waitsFor[operation] === 0);
}

/** Operations whose end no other operation of their job waits for. */
export function leavesOf({ length, edges: { endEdges } }: WorkloadGraph): number[] {
  return indicesWhere(length, (operation) => endEdges[operation] === 0);
}

/** Number of operations that wait for an operation's start. */
export function startEdgesOf(edges: EdgeColumns | undefined, operation: number): number {
  if (edges === undefined) return 0;
  return edges.firstEdge[operation + 1] - edges.firstEdge[operation] - edges.endEdges[operation];
}

function indicesWhere(length: number, holds: (index: number) => boolean): number[] {
  const indices: number[] = [];
  for (let index = 0; index < length; index++) {
    if (holds(index)) indices.push(index);
  }
  return indices;
}

/** Number of edges from the operations that begin jobs to the jobs' roots, and to them from the leaves of the jobs before. */
function extraEdges(jobs: readonly JobLayout[]): number {
  return jobs.reduce((sum, { job, beginOperation }) => {
    const before = job.after < 0 ? undefined : jobs[job.after].job.graph;
    const leaves = before === undefined ? [] : leavesOf(before);
    const moved = leaves.reduce((count, leaf) => count + startEdgesOf(before?.edges, leaf), 0);
    return sum + leaves.length + moved + (beginOperation < 0 ? 0 : rootsOf(job.graph).length);
  }, 0);
}

/** First lane of each rank, which has lanes up to the highest that it names; the last entry is the end. */
function lanesFrom(graph: WorkloadGraph, first: number): Uint32Array {
  const lanes = new Uint32Array(graph.ranks + 1);
  const { lane } = graph.operations;
  forEachOperation(graph, (operation, rank) => {
    if (lane[operation] !== NO_LANE) lanes[rank] = Math.max(lanes[rank], lane[operation] + 1);
  });
  let next = first;
  lanes.forEach((count, rank) => {
    lanes[rank] = next;
    next += count;
  });
  return lanes;
}

function wildcardsOf(graph: WorkloadGraph): ChannelTable {
  const wildcards = new ChannelTable();
  const { kind, peer, tag } = graph.operations;
  forEachOperation(graph, (operation, rank) => {
    if (kind[operation] !== RECEIVE) return;
    if (peer[operation] === ANY || tag[operation] === ANY) wildcards.add(peer[operation], rank, tag[operation]);
  });
  return wildcards;
}

function arrivalQueues({ hasWildcard }: Matching, first: number): Int32Array {
  let next = first;
  return Int32Array.from(hasWildcard, (has) => (has === 1 ? next++ : -1));
}
