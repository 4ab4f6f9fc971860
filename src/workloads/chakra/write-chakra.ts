/**
 * Writes graphs as Chakra execution traces, schema 0.0.4 (docs/specs/workloads.md, 2): a file per rank, sends and
 * receives as separate nodes, collectives as their messages.
 *
 * A trace cannot express: lanes other than one for the GPU and one for the host, operations that take time without a
 * lane, dependencies on starts or between ranks, wildcards, durations that are not whole microseconds.
 */
import { checkRecord, reject } from '../../config/field-rules.js';
import { PS_PER_US } from '../../units.js';
import { ANY, COMPUTE, NO_LANE, SEND, WorkloadGraph } from '../graph/workload-graph.js';
import { rejectWorkload } from '../workload-error.js';
import { NODE_TYPES } from './chakra-node.js';
import { metadataBytes, nodeBytes, type WrittenNode } from './protobuf.js';

/** Options for writing traces. */
export interface ChakraWriteOptions {
  /** Prefix of the file names `PREFIX.R.et`. Default `trace`. */
  readonly prefix?: string;
  /** Whether durations are rounded to whole microseconds. Default false: other durations are rejected. */
  readonly rounded?: boolean;
}

/** The trace file of one rank. */
export interface WrittenTrace {
  /** File name `PREFIX.R.et`. */
  readonly name: string;
  /** Contents of the file. */
  readonly bytes: Uint8Array;
}

const HOST_LANE = 1;
/** Other readers expect signed 32-bit numbers. */
const TAG_LIMIT = 2 ** 31;

/**
 * Writes a graph as Chakra traces, rank by rank.
 *
 * @throws RoceError `invalid-workload` for what the format cannot express, naming the operation.
 * @example
 * for (const { name, bytes } of writeChakra(graph)) writeFileSync(name, bytes);
 */
export function* writeChakra(graph: WorkloadGraph, options: ChakraWriteOptions = {}): Generator<WrittenTrace> {
  if (!(graph instanceof WorkloadGraph)) reject({ got: graph, allowed: 'a WorkloadGraph', where: 'graph' });
  const { prefix = 'trace', rounded = false } = checkRecord(options, 'options') as ChakraWriteOptions;
  if (typeof prefix !== 'string' || prefix === '')
    reject({ got: prefix, allowed: 'a non-empty string', where: 'options.prefix' });
  if (typeof rounded !== 'boolean') reject({ got: rounded, allowed: [true, false], where: 'options.rounded' });
  const awaited = awaitedBy(graph);
  const tags = new Map<number, number>();
  for (let rank = 0; rank < graph.ranks; rank++) {
    const records = [metadataBytes('0.0.4')];
    const [from, to] = [graph.firstOperation[rank], graph.firstOperation[rank + 1]];
    for (let operation = from; operation < to; operation++) {
      records.push(
        nodeBytes(nodeOf(graph, operation, { rank, from, rounded, tags, awaited: awaited[operation] ?? [] })),
      );
    }
    yield { name: `${prefix}.${rank}.et`, bytes: joined(records) };
  }
}

interface Place {
  readonly rank: number;
  /** First operation of the rank. */
  readonly from: number;
  readonly rounded: boolean;
  readonly tags: Map<number, number>;
  readonly awaited: readonly number[];
}

/** For each operation, the operations that it waits for. */
function awaitedBy(graph: WorkloadGraph): (number[] | undefined)[] {
  const { length, edges: { firstEdge, endEdges, edges } } = graph;
  const awaited: (number[] | undefined)[] = [];
  for (let operation = 0; operation < length; operation++) {
    const rank = graph.rankOf(operation);
    for (let place = firstEdge[operation]; place < firstEdge[operation + 1]; place++) {
      const waiting = edges[place];
      if (place >= firstEdge[operation] + endEdges[operation]) rejectNode(graph, waiting, 'waits for a start');
      if (waiting < graph.firstOperation[rank] || waiting >= graph.firstOperation[rank + 1])
        rejectNode(graph, waiting, 'waits for another rank');
      const known = awaited[waiting];
      if (known === undefined) awaited[waiting] = [operation];
      else known.push(operation);
    }
  }
  return awaited;
}

function nodeOf(graph: WorkloadGraph, operation: number, { rank, from, rounded, tags, awaited }: Place): WrittenNode {
  const { kind, amount, lane, peer, tag } = graph.operations;
  const common = {
    id: operation - from,
    name: graph.nameOf(operation) || `operation ${operation - from}`,
    dependencies: awaited.map((one) => one - from),
  };
  if (kind[operation] === COMPUTE) {
    const isSilent = lane[operation] === NO_LANE;
    if (isSilent && amount[operation] > 0) rejectNode(graph, operation, 'takes time without a lane');
    if (!isSilent && lane[operation] > HOST_LANE)
      rejectNode(graph, operation, 'has a lane beyond the GPU and the host');
    const durationUs = amount[operation] / PS_PER_US;
    if (!rounded && !Number.isInteger(durationUs)) rejectNode(graph, operation, 'does not take whole microseconds');
    const type = isSilent ? NODE_TYPES.metadata : NODE_TYPES.compute;
    return { ...common, type, durationUs: Math.round(durationUs), isHost: lane[operation] === HOST_LANE };
  }
  requireExpressible(graph, operation);
  const isSend = kind[operation] === SEND;
  const [source, destination] = isSend ? [rank, peer[operation]] : [peer[operation], rank];
  const message = { sizeBytes: amount[operation], source, destination, tag: numberOf(tag[operation], tags) };
  return { ...common, type: isSend ? NODE_TYPES.send : NODE_TYPES.receive, durationUs: 0, isHost: false, message };
}

/** @throws RoceError `invalid-workload` for a message that a trace cannot express. */
function requireExpressible(graph: WorkloadGraph, operation: number): void {
  const { amount, lane, peer, tag } = graph.operations;
  if (peer[operation] === ANY || tag[operation] === ANY) rejectNode(graph, operation, 'is a receive of any message');
  if (lane[operation] !== NO_LANE) rejectNode(graph, operation, 'is a message that needs a lane');
  if (amount[operation] === Infinity) rejectNode(graph, operation, 'has no end');
}

/** Tags from half of the limit on are renumbered, in the order in which they appear. */
function numberOf(tag: number, tags: Map<number, number>): number {
  if (tag < TAG_LIMIT / 2) return tag;
  const known = tags.get(tag) ?? TAG_LIMIT / 2 + tags.size;
  tags.set(tag, known);
  return known;
}

function rejectNode(graph: WorkloadGraph, operation: number, problem: string): never {
  return rejectWorkload('CHAKRA_SYNTAX', {
    what: graph.describe(operation),
    problem: `${problem}, which a trace cannot express`,
    where: graph.source,
  });
}

function joined(records: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(records.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const record of records) {
    bytes.set(record, at);
    at += record.length;
  }
  return bytes;
}
