/**
 * Combines the traces of all ranks into one graph: nodes, and the messages of their collectives
 * (docs/specs/workloads.md, 2.7).
 */
import { addPart, addPartDependencies, COLLECTIVE_TAGS, INSTANCES_MAX } from '../collectives/collective-graph.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { COMPUTE, NO_LANE, RECEIVE, SEND, type WorkloadGraph } from '../graph/workload-graph.js';
import { LeftOut } from '../notes.js';
import { rejectWorkload } from '../workload-error.js';
import { isCommunication, NODE_TYPES, nodeInWords, type ChakraNode, type ChakraTrace, type NodeId, durationPs,
  type NodeSpeeds } from './chakra-node.js';
import { CollectiveInstances, sizeOf, type Groups } from './collective-instances.js';
import { UnusedStatements } from './format.js';

/** Settings of a job that determine how nodes run. */
export interface ChakraGraphOptions extends NodeSpeeds {
  readonly name: string;
  /** Whether dependencies on the host's call tree are used. */
  readonly controlDependencies: boolean;
  /** Whether communication nodes of the host are sent, or only noted. */
  readonly hostCommunication: 'noted' | 'sent';
}

/** Lanes of a rank: it runs one GPU operation and one host operation at a time; communication is unlimited. */
const GPU_LANE = 0;
const HOST_LANE = 1;

export class ChakraGraph {
  readonly #builder: GraphBuilder;
  readonly #groups: Groups;
  readonly #collectives: CollectiveInstances;
  readonly #options: ChakraGraphOptions;
  readonly #ranks: number;
  readonly #unused: UnusedStatements;
  readonly #droppedDependencies = new LeftOut();

  constructor(ranks: number, groups: Groups, options: ChakraGraphOptions) {
    this.#builder = new GraphBuilder(options.name, 'node');
    this.#groups = groups;
    this.#collectives = new CollectiveInstances(groups);
    this.#options = options;
    this.#unused = new UnusedStatements(options);
    this.#ranks = ranks;
  }

  /** Adds the trace of one rank; ranks must come in order. */
  add(trace: ChakraTrace): void {
    const { nodes } = trace;
    const placeOf = new Map<NodeId, number>();
    nodes.forEach((node, place) => {
      if (placeOf.has(node.id)) {
        rejectWorkload('DUPLICATE_NODE', {
          what: 'the id of a node',
          problem: 'occurs twice',
          got: node.id,
          where: trace.name,
        });
      }
      placeOf.set(node.id, place);
    });
    requireKnown(trace, placeOf);
    this.#unused.add(trace);
    for (const node of nodes)
      for (const input of node.inputs ?? []) this.#groups.addStated(input, nodeInWords(trace, node));
    this.#builder.beginRank(trace.rank);
    const begins = new Int32Array(nodes.length);
    const ends = new Int32Array(nodes.length);
    for (const place of issueOrder(nodes, placeOf)) [begins[place], ends[place]] = this.#node(trace, nodes[place]);
    nodes.forEach((node, place) => {
      for (const id of node.dataDependencies) this.#builder.depend(begins[place], ends[placeOf.get(id) ?? 0]);
      if (this.#options.controlDependencies) this.#control(trace, node, begins[place], { placeOf, ends });
    });
  }

  finish(): WorkloadGraph {
    this.#collectives.finish();
    for (const instance of this.#collectives.all) addPartDependencies(this.#builder, instance);
    for (const note of [...this.#unused.notes(), ...this.#droppedDependencies.notes()]) this.#builder.note(note);
    return this.#builder.finish(this.#ranks);
  }

  #control(trace: ChakraTrace, node: ChakraNode, begin: number,
    { placeOf, ends }: { readonly placeOf: ReadonlyMap<NodeId, number>; readonly ends: Int32Array }): void {
    for (const id of node.controlDependencies) {
      const place = placeOf.get(id);
      if (place !== undefined) this.#builder.depend(begin, ends[place]);
      else this.#droppedDependencies.add('missing-control-dependencies', nodeInWords(trace, node), 1);
    }
  }

  /** Adds a node; returns the operations that begin and end it. */
  #node(trace: ChakraTrace, node: ChakraNode): readonly [number, number] {
    const { type, isHost } = node;
    const where = nodeInWords(trace, node);
    if (type < 0 || type > NODE_TYPES.collective) {
      const allowed = { min: 0, max: NODE_TYPES.collective, multipleOf: 1 };
      rejectWorkload('UNKNOWN_NODE_TYPE', { what: 'the type of a node', got: type, allowed, where });
    }
    if (isCommunication(node) && (!isHost || this.#options.hostCommunication === 'sent')) {
      return type === NODE_TYPES.collective ? this.#collective(trace, node) : both(this.#message(trace, node, where));
    }
    if (type <= NODE_TYPES.metadata) return both(this.#compute(0, NO_LANE, node));
    return both(this.#compute(durationPs(node, this.#options, where), isHost ? HOST_LANE : GPU_LANE, node));
  }

  #compute(amountPs: number, lane: number, node: ChakraNode): number {
    return this.#builder.addRow(COMPUTE, amountPs, 0, 0, lane, 0, placeNumber(node));
  }

  #message(trace: ChakraTrace, node: ChakraNode, where: string): number {
    const isSend = node.type === NODE_TYPES.send;
    const [peer, own] = isSend ? [node.destination, node.source] : [node.source, node.destination];
    if (peer === undefined) {
      const what = isSend ? 'comm_dst' : 'comm_src';
      rejectWorkload('NO_PEER', {
        what,
        problem: 'is missing',
        where,
        hint: 'Traces converted from PyTorch have no peers',
      });
    }
    this.#requireRank(peer, where);
    if (own !== undefined && own !== trace.rank) {
      rejectWorkload('RANK_OUT_OF_RANGE', { what: 'the own rank', got: own, allowed: [trace.rank], where });
    }
    if (peer === trace.rank)
      rejectWorkload('SELF_MESSAGE', { what: `rank ${peer}`, problem: 'sends to itself', where });
    const { tag = 0 } = node;
    if (!Number.isInteger(tag) || tag < 0 || tag >= COLLECTIVE_TAGS) {
      rejectWorkload('BAD_TAG', {
        what: 'comm_tag',
        got: tag,
        allowed: { min: 0, below: COLLECTIVE_TAGS, multipleOf: 1 },
        where,
      });
    }
    const sizeBytes = sizeOf(node.commSize, where);
    return this.#builder.addRow(isSend ? SEND : RECEIVE, sizeBytes, peer, tag, NO_LANE, 0, placeNumber(node));
  }

  #requireRank(rank: number, where: string): void {
    if (Number.isInteger(rank) && rank >= 0 && rank < this.#ranks) return;
    const allowed = { min: 0, max: this.#ranks - 1, multipleOf: 1 };
    rejectWorkload('RANK_OUT_OF_RANGE', { what: 'the peer', got: rank, allowed, where });
  }

  /**
   * Adds a member's part of a collective: an operation that begins it, the sends and receives, and one that waits for
   * all of these.
   */
  #collective(trace: ChakraTrace, node: ChakraNode): readonly [number, number] {
    const instance = this.#collectives.join(trace, node);
    if (instance.number > INSTANCES_MAX) {
      const allowed = { max: INSTANCES_MAX };
      rejectWorkload('TOO_LARGE', {
        what: 'the number of collectives',
        got: instance.number,
        allowed,
        where: trace.name,
      });
    }
    return addPart(this.#builder, instance, trace.rank, placeNumber(node));
  }
}

function both(operation: number): readonly [number, number] {
  return [operation, operation];
}

/** Node number for messages; 0 for ids beyond 32 bits. */
function placeNumber({ id }: ChakraNode): number {
  return id <= 0xffffffff ? Number(id) : 0;
}

function requireKnown(trace: ChakraTrace, placeOf: ReadonlyMap<NodeId, number>): void {
  for (const node of trace.nodes) {
    const missing = node.dataDependencies.find((id) => !placeOf.has(id));
    if (missing === undefined) continue;
    rejectWorkload('UNKNOWN_NODE', {
      what: `node ${missing}`,
      problem: 'is a dependency, but does not exist',
      where: nodeInWords(trace, node),
    });
  }
}

/**
 * The order in which a rank issues its nodes: dependencies first, otherwise by id.
 *
 * @param placeOf index of each id in `nodes`.
 */
function issueOrder(nodes: readonly ChakraNode[], placeOf: ReadonlyMap<NodeId, number>): number[] {
  const byId = nodes.map((_, place) => place).sort((a, b) => (nodes[a].id < nodes[b].id ? -1 : 1));
  const isOrdered = nodes.every(({ id, dataDependencies }) => dataDependencies.every((before) => before < id));
  return isOrdered ? byId : topological(nodes, placeOf, byId);
}

/** Nodes on a cycle come last; the check of the graph reports them. */
function topological(nodes: readonly ChakraNode[], placeOf: ReadonlyMap<NodeId, number>,
  byId: readonly number[]): number[] {
  const rankOf = new Uint32Array(nodes.length);
  byId.forEach((place, rank) => {
    rankOf[place] = rank;
  });
  const followers: number[][] = nodes.map(() => []);
  const waits = nodes.map(({ dataDependencies }, place) => {
    for (const id of dataDependencies) followers[placeOf.get(id) ?? place].push(place);
    return dataDependencies.length;
  });
  const ready = byId.filter((place) => waits[place] === 0).map((place) => rankOf[place]);
  const order: number[] = [];
  const isOut = new Uint8Array(nodes.length);
  while (ready.length > 0) {
    const place = byId[removeLeast(ready)];
    order.push(place);
    isOut[place] = 1;
    for (const next of followers[place]) if (--waits[next] === 0) insert(ready, rankOf[next]);
  }
  return [...order, ...byId.filter((place) => isOut[place] === 0)];
}

/** Inserts into a binary heap. */
function insert(heap: number[], value: number): void {
  let place = heap.push(value) - 1;
  while (place > 0 && heap[(place - 1) >> 1] > value) {
    heap[place] = heap[(place - 1) >> 1];
    place = (place - 1) >> 1;
  }
  heap[place] = value;
}

function removeLeast(heap: number[]): number {
  const [least] = heap;
  const last = heap.pop() ?? 0;
  const { length } = heap;
  if (length === 0) return least;
  let place = 0;
  for (let child = 1; child < length; child = 2 * place + 1) {
    if (child + 1 < length && heap[child + 1] < heap[child]) child++;
    if (heap[child] >= last) break;
    heap[place] = heap[child];
    place = child;
  }
  heap[place] = last;
  return least;
}
