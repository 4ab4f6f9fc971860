/**
 * Collectives as operations of a graph: each message is a send and a receive, or, within a server, two computes for the
 * time that the server's link takes and for its latency.
 *
 *   collectiveGraph   a job of one collective. If repeated, a rank starts again, after its compute, when everything that
 *                     it sends and receives is done.
 *   addPart           a rank's part of a collective in a larger graph: an operation that begins it, sends and receives,
 *                     and one that waits for all of these. Members are added one by one; dependencies between messages
 *                     are added when all are present.
 */
import { BITS_PER_BYTE, PS_PER_SECOND } from '../../units.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { COMPUTE, type GraphCollective, LINK_TIME, NO_LANE, RECEIVE, SEND,
  type WorkloadGraph } from '../graph/workload-graph.js';
import { type CollectiveAlgorithm, type CollectiveKind, defaultAlgorithm, messagesOf } from './algorithms.js';
import { type Ends, endsByRank, type MessageList, rankOfEnd } from './message-list.js';

/** First tag of collectives; point-to-point messages have lower tags. */
export const COLLECTIVE_TAGS = 2 ** 31;
/** Distance between the tags of two collectives or repetitions, at least the number of streams. */
const STREAMS = 256;
export const INSTANCES_MAX = 2 ** 23 - 1;

const COMPUTE_LANE = 0;
/** First lane of a rank's link within its server, above its compute lanes. */
const FIRST_LINK_LANE = 1;

/** Rate and latency of links within a server, for messages that do not enter the network. */
export interface LocalLink {
  readonly rateBps: number;
  readonly latencyPs: number;
}

/** Messages of a collective of a given size, with their ends; shared by all its instances. */
export interface CollectiveShape {
  readonly kind: CollectiveKind;
  /** Size in bytes; of an all-gather, that of the result. */
  readonly sizeBytes: number;
  readonly list: MessageList;
  readonly ends: Ends;
  /** Link for messages within a server, if there are any. */
  readonly link?: LocalLink;
}

export class CollectiveShapes {
  readonly #known = new Map<string, CollectiveShape>();

  /** @param sizeBytes size of the collective; of an all-gather, that of the result. */
  of(kind: CollectiveKind, n: number, sizeBytes: number, how: HowCollective = {}): CollectiveShape {
    const { by = defaultAlgorithm(kind), chunks = 1 } = how;
    const key = `${kind} ${by} ${n} ${sizeBytes} ${chunks}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const list = messagesOf(kind, by, { n, sizeBytes, chunks, perServer: 1 });
    const shape = { kind, sizeBytes, list, ends: endsByRank(list, n) };
    this.#known.set(key, shape);
    return shape;
  }
}

/** Options for a collective's algorithm. */
export interface HowCollective {
  readonly by?: CollectiveAlgorithm;
  readonly chunks?: number;
}

/** A collective that ranks join one by one. */
export interface JoinedCollective {
  readonly number: number;
  readonly members: readonly number[];
  readonly shape: CollectiveShape;
  /**
   * Operations of the ends of messages; `begins` and `ends` are the operations that begin and end each member's part.
   */
  readonly operations: Int32Array;
  readonly begins: Int32Array;
  readonly ends: Int32Array;
  joined: number;
}

export function joinedCollective(number: number, members: readonly number[], shape: CollectiveShape): JoinedCollective {
  return {
    number,
    members,
    shape,
    operations: new Int32Array(2 * shape.list.length),
    begins: new Int32Array(members.length),
    ends: new Int32Array(members.length),
    joined: 0,
  };
}

/** Adds a member's part. @param place in the file. @returns the operations that begin and end it. */
export function addPart(builder: GraphBuilder, joined: JoinedCollective, rank: number,
  place: number): readonly [number, number] {
  const { number, members, shape: { list, ends, link }, operations, begins, ends: dones } = joined;
  const sent = { list, members, firstTag: COLLECTIVE_TAGS + number * STREAMS, link, hasLanes: true };
  const own = members.indexOf(rank);
  const joint = (): number => builder.addRow(COMPUTE, 0, 0, 0, NO_LANE, 0, place);
  const begin = joint();
  begins[own] = begin;
  for (let at = ends.first[own]; at < ends.first[own + 1]; at++) {
    const end = ends.of[at];
    operations[end] = addEnd(builder, sent, end, place);
  }
  const done = joint();
  builder.depend(done, begin);
  for (let at = ends.first[own]; at < ends.first[own + 1]; at++) builder.depend(done, operations[ends.of[at]]);
  dones[own] = done;
  return [begin, done];
}

/** Adds dependencies between messages, after all members are present. @param name for results. */
export function addPartDependencies(builder: GraphBuilder, joined: JoinedCollective, name = ''): void {
  const { members, shape: { kind, sizeBytes, list }, operations, begins, ends } = joined;
  builder.collective({
    kind,
    name,
    members: members.length,
    sizeBytes,
    begins,
    from: Uint32Array.from(begins),
    lengths: Uint32Array.from(ends, (end, member) => end - begins[member] + 1),
  });
  for (let message = 0; message < list.length; message++) {
    const send = operations[2 * message];
    builder.depend(send, begins[list.from[message]]);
    for (const before of list.afterOf(message)) builder.depend(send, operations[2 * before + 1]);
    const { [message]: afterSent } = list.afterSent;
    if (afterSent > 0) builder.depend(send, operations[2 * (afterSent - 1)]);
    if (list.isLocal[message] === 1) builder.depend(operations[2 * message + 1], send);
  }
}

/** Options for running a collective. */
export interface CollectiveRun {
  readonly name: string;
  readonly kind: CollectiveKind;
  /** Size in bytes; of an all-gather, that of the result. */
  readonly sizeBytes: number;
  readonly ranks: number;
  readonly repeat: number;
  /** Compute time of each rank before each repetition. */
  readonly computePs: number;
  /** Rate and latency of links within a server; at 0 bits per second they take no time. */
  readonly localBps: number;
  readonly localLatencyPs: number;
}

/** Builds the graph of a job that runs one collective. */
export function collectiveGraph(list: MessageList, run: CollectiveRun): WorkloadGraph {
  const builder = new GraphBuilder(run.name, 'message');
  const ends = endsByRank(list, run.ranks);
  const numbers = new Numbers(list, run, ends);
  const link = { rateBps: run.localBps, latencyPs: run.localLatencyPs };
  for (let rank = 0; rank < run.ranks; rank++) {
    builder.beginRank(rank);
    for (let round = 0; round < run.repeat; round++) {
      const sent = { list, link, hasLanes: false, firstTag: round * STREAMS };
      if (numbers.hasBegin)
        builder.addRow(COMPUTE, run.computePs, 0, 0, run.computePs > 0 ? COMPUTE_LANE : NO_LANE, 0, 0);
      for (let place = ends.first[rank]; place < ends.first[rank + 1]; place++) {
        const end = ends.of[place];
        addEnd(builder, sent, end, (end >>> 1) + 1);
      }
    }
  }
  for (let round = 0; round < run.repeat; round++) {
    addDependencies(builder, list, run, numbers, round);
    builder.collective(numbers.collective(round));
  }
  builder.iterate(run.repeat);
  return builder.finish(run.ranks);
}

/** Computes the numbers of operations. */
class Numbers {
  /** Whether each repetition starts with an additional operation. */
  readonly hasBegin: boolean;
  readonly #list: MessageList;
  readonly #run: CollectiveRun;
  readonly #ends: Ends;
  /** Number of operations of all ranks before this one. */
  readonly #firstOf: Float64Array;

  constructor(list: MessageList, run: CollectiveRun, ends: Ends) {
    this.hasBegin = run.repeat > 1 || run.computePs > 0;
    this.#list = list;
    this.#run = run;
    this.#ends = ends;
    this.#firstOf = new Float64Array(run.ranks + 1);
    for (let rank = 0; rank < run.ranks; rank++) {
      this.#firstOf[rank + 1] = this.#firstOf[rank] + run.repeat * this.perRound(rank);
    }
  }

  perRound(rank: number): number {
    return this.#ends.first[rank + 1] - this.#ends.first[rank] + Number(this.hasBegin);
  }

  begin(rank: number, round: number): number {
    return this.#firstOf[rank] + round * this.perRound(rank);
  }

  collective(round: number): GraphCollective {
    const { ranks, kind, sizeBytes } = this.#run;
    const all = Array.from({ length: ranks }, (_, rank) => rank);
    return {
      kind,
      name: '',
      members: ranks,
      sizeBytes,
      begins: Int32Array.from(all, (rank) => (this.hasBegin ? this.begin(rank, round) : -1)),
      from: Uint32Array.from(all, (rank) => this.begin(rank, round)),
      lengths: Uint32Array.from(all, (rank) => this.perRound(rank)),
    };
  }

  end(end: number, round: number): number {
    return this.begin(rankOfEnd(this.#list, end), round) + Number(this.hasBegin) + this.#ends.place[end];
  }
}

/** The messages whose ends are added. */
interface SentMessages {
  readonly list: MessageList;
  /** Members by their number within the collective; default: ranks are members. */
  readonly members?: readonly number[];
  readonly firstTag: number;
  /** Link for messages within a server. */
  readonly link: LocalLink | undefined;
  /** Whether each stream has its own lane of that link, so that its two directions work at once. */
  readonly hasLanes: boolean;
}

/** Adds one end of a message: 2 * message is the sender's, 2 * message + 1 the receiver's. @returns its operation. */
function addEnd(builder: GraphBuilder, sent: SentMessages, end: number, place: number): number {
  const { list, members, firstTag } = sent;
  const message = end >>> 1;
  const isReceiver = (end & 1) === 1;
  if (list.isLocal[message] === 1) return addLocalEnd(builder, sent, message, isReceiver, place);
  const peer = isReceiver ? list.from[message] : list.to[message];
  return builder.addRow(isReceiver ? RECEIVE : SEND, list.bytes[message], members?.[peer] ?? peer,
    firstTag + list.stream[message], NO_LANE, 0, place);
}

/** The sender's end occupies the link in its direction; the receiver's end is the latency. */
function addLocalEnd(builder: GraphBuilder, { list, link, hasLanes }: SentMessages, message: number,
  isReceiver: boolean, place: number): number {
  if (isReceiver) return builder.addRow(COMPUTE, link?.latencyPs ?? 0, 0, 0, NO_LANE, LINK_TIME, place);
  const rateBps = link?.rateBps ?? 0;
  const durationPs = rateBps > 0 ? Math.round((BITS_PER_BYTE * list.bytes[message] / rateBps) * PS_PER_SECOND) : 0;
  const lane = FIRST_LINK_LANE + (hasLanes ? list.stream[message] : 0);
  return builder.addRow(COMPUTE, durationPs, 0, 0, lane, LINK_TIME, place);
}

function addDependencies(builder: GraphBuilder, list: MessageList, run: CollectiveRun, numbers: Numbers,
  round: number): void {
  for (let message = 0; message < list.length; message++) {
    const [send, receive] = [numbers.end(2 * message, round), numbers.end(2 * message + 1, round)];
    if (list.isLocal[message] === 1) builder.depend(receive, send);
    for (const before of list.afterOf(message)) builder.depend(send, numbers.end(2 * before + 1, round));
    if (!numbers.hasBegin) continue;
    const { [message]: from } = list.from;
    const { [message]: to } = list.to;
    builder.depend(send, numbers.begin(from, round));
    if (round + 1 === run.repeat) continue;
    builder.depend(numbers.begin(from, round + 1), send);
    builder.depend(numbers.begin(to, round + 1), receive);
  }
}
