/** A graph in a few numbers. */
import { forEachOperation, matchingOf, type Matching } from './check-matching.js';
import { COMPUTE, RECEIVE, SEND, WorkloadGraph } from './workload-graph.js';
import { refuse } from '../../config/field-rules.js';

/** What a graph comes to. */
export interface GraphMeasures {
  /** Number of ranks. */
  readonly ranks: number;
  /** Number of operations. */
  readonly operations: number;
  /** Sends among them. */
  readonly sends: number;
  /** Receives among them. */
  readonly receives: number;
  /** Computes among them. */
  readonly computes: number;
  /** Bytes of all messages. */
  readonly bytes: number;
  /** Duration of all computes, picoseconds. */
  readonly computePs: number;
  /** Operations on the longest chain of dependencies and messages; messages to receives with wildcards not counted. */
  readonly depth: number;
}

/** Counts and sums of a graph, and its depth, which takes most of the time. */
export function measureGraph(graph: WorkloadGraph, withDepth = true): GraphMeasures {
  if (!(graph instanceof WorkloadGraph)) refuse({ got: graph, allowed: 'a WorkloadGraph', where: 'graph' });
  const { kind, amount } = graph.operations;
  const counts = [0, 0, 0];
  const sums = [0, 0, 0];
  for (let operation = 0; operation < graph.length; operation++) {
    counts[kind[operation]]++;
    sums[kind[operation]] += amount[operation];
  }
  return {
    ranks: graph.ranks,
    operations: graph.length,
    sends: counts[SEND],
    receives: counts[RECEIVE],
    computes: counts[COMPUTE],
    bytes: sums[SEND],
    computePs: sums[COMPUTE],
    depth: withDepth ? depthOf(graph, matchingOf(graph)) : 0,
  };
}

/** The k-th send of a channel to its k-th receive. */
function depthOf(graph: WorkloadGraph, matching: Matching): number {
  const { length, edges: { firstEdge, edges } } = graph;
  const receiveOf = receivesOf(graph, matching);
  const waitsFor = graph.edges.waitsFor.slice();
  receiveOf.forEach((receive) => {
    if (receive >= 0) waitsFor[receive]++;
  });
  const depths = new Uint32Array(length).fill(1);
  const ready = new Uint32Array(length);
  let [first, last] = [0, 0];
  waitsFor.forEach((count, operation) => {
    if (count === 0) ready[last++] = operation;
  });
  let depth = 0;
  while (first < last) {
    const operation = ready[first++];
    const own = depths[operation];
    depth = Math.max(depth, own);
    const follow = (next: number): void => {
      depths[next] = Math.max(depths[next], own + 1);
      if (--waitsFor[next] === 0) ready[last++] = next;
    };
    for (let place = firstEdge[operation]; place < firstEdge[operation + 1]; place++) follow(edges[place]);
    if (receiveOf[operation] >= 0) follow(receiveOf[operation]);
  }
  return depth;
}

/** By send: the receive that it meets; -1: it has none of its own. */
function receivesOf(graph: WorkloadGraph, { channels, channelOf, hasWildcard }: Matching): Int32Array {
  const { kind } = graph.operations;
  const receiveOf = new Int32Array(graph.length).fill(-1);
  const firstReceive = new Int32Array(channels.length).fill(-1);
  const nextReceive = new Int32Array(graph.length).fill(-1);
  for (let operation = graph.length - 1; operation >= 0; operation--) {
    const channel = channelOf[operation];
    if (kind[operation] !== RECEIVE || channel < 0) continue;
    nextReceive[operation] = firstReceive[channel];
    firstReceive[channel] = operation;
  }
  forEachOperation(graph, (operation) => {
    const channel = channelOf[operation];
    if (kind[operation] !== SEND || hasWildcard[channels.destinationOf(channel)] === 1) return;
    const receive = firstReceive[channel];
    if (receive < 0) return;
    receiveOf[operation] = receive;
    firstReceive[channel] = nextReceive[receive];
  });
  return receiveOf;
}
