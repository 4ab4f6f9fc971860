/** Summarises a graph in a few numbers. */
import { forEachOperation, matchingOf, type Matching } from './check-graph.js';
import { COMPUTE, RECEIVE, SEND, WorkloadGraph } from './workload-graph.js';
import { reject } from '../../config/field-rules.js';

/** Measures of a graph. */
export interface GraphMeasures {
  /** Number of ranks. */
  readonly ranks: number;
  /** Number of operations. */
  readonly operations: number;
  /** Number of sends. */
  readonly sends: number;
  /** Number of receives. */
  readonly receives: number;
  /** Number of computes. */
  readonly computes: number;
  /** Bytes of all messages. */
  readonly bytes: number;
  /** Duration of all computes, picoseconds. */
  readonly computePs: number;
  /** Number of operations on the longest chain of dependencies and messages, without messages to wildcard receives. */
  readonly depth: number;
  /** Largest number of messages on any chain. */
  readonly messageDepth: number;
  /**
   * Number of operations on the longest chain of dependencies only, in which each known collective counts as one
   * operation of all its members.
   */
  readonly collectiveDepth: number;
}

/** Counts the parts of a graph and computes its depth, which takes most of the time. */
export function measureGraph(graph: WorkloadGraph, withDepth = true): GraphMeasures {
  if (!(graph instanceof WorkloadGraph)) reject({ got: graph, allowed: 'a WorkloadGraph', where: 'graph' });
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
    ...(withDepth ? depthsOf(graph) : { depth: 0, messageDepth: 0, collectiveDepth: 0 }),
  };
}

/**
 * Defines how the length of a chain is counted: in operations, messages or collectives, and whether it continues from a
 * send to its receive.
 */
interface Chain {
  /** Number of nodes: operations, followed by collectives. */
  readonly nodes: number;
  readonly nodeOf: (operation: number) => number;
  readonly weightOf: (node: number) => number;
}

function depthsOf(graph: WorkloadGraph): Pick<GraphMeasures, 'depth' | 'messageDepth' | 'collectiveDepth'> {
  const receiveOf = receivesOf(graph, matchingOf(graph));
  const { length, operations: { kind }, collectives } = graph;
  const itself = (operation: number): number => operation;
  const memberOf = membersOfCollectives(graph);
  return {
    depth: depthOf(graph, receiveOf, { nodes: length, nodeOf: itself, weightOf: () => 1 }),
    messageDepth: depthOf(graph, receiveOf, {
      nodes: length,
      nodeOf: itself,
      weightOf: (operation) => Number(kind[operation] === SEND),
    }),
    collectiveDepth: depthOf(graph, new Int32Array(length).fill(-1), {
      nodes: length + collectives.length,
      nodeOf: (operation) => (memberOf[operation] < 0 ? operation : length + memberOf[operation]),
      weightOf: () => 1,
    }),
  };
}

/** For each operation, the collective that it belongs to, or -1. */
function membersOfCollectives({ length, collectives }: WorkloadGraph): Int32Array {
  const memberOf = new Int32Array(length).fill(-1);
  collectives.forEach(({ from, lengths }, collective) => {
    from.forEach((first, member) => memberOf.fill(collective, first, first + lengths[member]));
  });
  return memberOf;
}

/** Connects the k-th send of a channel with its k-th receive. Nodes on a cycle belong to no chain. */
function depthOf(graph: WorkloadGraph, receiveOf: Int32Array, { nodes, nodeOf, weightOf }: Chain): number {
  const { length, edges: { firstEdge, edges } } = graph;
  const waitsFor = new Uint32Array(nodes);
  const pairs = (operation: number, take: (from: number, to: number) => void): void => {
    const from = nodeOf(operation);
    const follow = (next: number): void => {
      if (nodeOf(next) !== from) take(from, nodeOf(next));
    };
    for (let place = firstEdge[operation]; place < firstEdge[operation + 1]; place++) follow(edges[place]);
    if (receiveOf[operation] >= 0) follow(receiveOf[operation]);
  };
  const { first, of } = operationsOfNodes(length, nodes, nodeOf);
  for (let operation = 0; operation < length; operation++) pairs(operation, (_, to) => waitsFor[to]++);
  const ready = new Uint32Array(nodes);
  const before = new Uint32Array(nodes);
  let [next, last, depth] = [0, 0, 0];
  for (let node = 0; node < nodes; node++) if (waitsFor[node] === 0) ready[last++] = node;
  while (next < last) {
    const node = ready[next++];
    if (first[node] === first[node + 1]) continue;
    const own = before[node] + weightOf(node);
    depth = Math.max(depth, own);
    for (let place = first[node]; place < first[node + 1]; place++) {
      pairs(of[place], (_, to) => {
        before[to] = Math.max(before[to], own);
        if (--waitsFor[to] === 0) ready[last++] = to;
      });
    }
  }
  return depth;
}

/** Groups operations by the node that represents them. */
function operationsOfNodes(length: number, nodes: number, nodeOf: Chain['nodeOf']): {
  readonly first: Uint32Array;
  readonly of: Uint32Array;
} {
  const first = new Uint32Array(nodes + 1);
  for (let operation = 0; operation < length; operation++) first[nodeOf(operation) + 1]++;
  for (let node = 0; node < nodes; node++) first[node + 1] += first[node];
  const next = first.slice();
  const of = new Uint32Array(length);
  for (let operation = 0; operation < length; operation++) of[next[nodeOf(operation)]++] = operation;
  return { first, of };
}

/** For each send, the receive that it matches; -1 if there is none. */
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
