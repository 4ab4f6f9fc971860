/**
 * Adds a rank's part of a collective to a larger graph: an operation that begins it, sends and receives, and one that
 * waits for all of these. Members are added one by one; dependencies between messages are added when all are present.
 */
import { PS_PER_SECOND } from '../../unit-sizes.js';
import type { GraphBuilder } from '../graph/graph-builder.js';
import { COMPUTE, LINK_TIME, NO_LANE, RECEIVE, SEND } from '../graph/workload-graph.js';
import { defaultAlgorithm, messagesOf, type CollectiveAlgorithm, type CollectiveKind } from './algorithms.js';
import { endsByRank, type Ends, type MessageList } from './message-list.js';

/** First tag of collectives; point-to-point messages have lower tags. */
export const COLLECTIVE_TAGS = 2 ** 31;
/** Distance between the tags of two collectives, at least the number of streams. */
const STREAMS = 256;
export const INSTANCES_MAX = 2 ** 23 - 1;

/** First lane of a rank's link within its server, above its compute lanes; each direction has one. */
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
  const { members, shape: { list, ends }, operations, begins, ends: dones } = joined;
  const own = members.indexOf(rank);
  const joint = (): number => builder.addRow(COMPUTE, 0, 0, 0, NO_LANE, 0, place);
  const begin = joint();
  begins[own] = begin;
  for (let at = ends.first[own]; at < ends.first[own + 1]; at++) {
    const end = ends.of[at];
    operations[end] = list.isLocal[end >>> 1] === 1 ?
      addLocalEnd(builder, joined.shape, end, place) :
      addEnd(builder, joined, end, place);
  }
  const done = joint();
  builder.depend(done, begin);
  for (let at = ends.first[own]; at < ends.first[own + 1]; at++) builder.depend(done, operations[ends.of[at]]);
  dones[own] = done;
  return [begin, done];
}

function addEnd(builder: GraphBuilder, { number, members, shape: { list } }: JoinedCollective, end: number,
  place: number): number {
  const message = end >>> 1;
  const isReceiver = (end & 1) === 1;
  const peer = members[isReceiver ? list.from[message] : list.to[message]];
  const tag = COLLECTIVE_TAGS + number * STREAMS + list.stream[message];
  return builder.addRow(isReceiver ? RECEIVE : SEND, list.bytes[message], peer, tag, NO_LANE, 0, place);
}

/** The sender's end occupies the link in its direction; the receiver's end is the latency. */
function addLocalEnd(builder: GraphBuilder, { list, link }: CollectiveShape, end: number, place: number): number {
  const message = end >>> 1;
  if ((end & 1) === 1) return builder.addRow(COMPUTE, link?.latencyPs ?? 0, 0, 0, NO_LANE, LINK_TIME, place);
  const bits = 8 * list.bytes[message];
  const durationPs = link === undefined ? 0 : Math.round((bits / link.rateBps) * PS_PER_SECOND);
  return builder.addRow(COMPUTE, durationPs, 0, 0, FIRST_LINK_LANE + list.stream[message], LINK_TIME, place);
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
