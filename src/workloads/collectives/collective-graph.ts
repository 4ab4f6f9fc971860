/**
 * Builds the graph of a collective: each message is a send and a receive, or, within a server, two computes for the
 * time that the server's link takes and for its latency. If repeated, a rank starts again, after its compute, when
 * everything that it sends and receives is done.
 */
import { PS_PER_SECOND } from '../../unit-sizes.js';
import type { CollectiveKind } from './algorithms.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { COMPUTE, LINK_TIME, NO_LANE, RECEIVE, SEND, type GraphCollective,
  type WorkloadGraph } from '../graph/workload-graph.js';
import { endsByRank, rankOfEnd, type Ends, type MessageList } from './message-list.js';

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

/** Lanes of a rank: its compute, and its link within the server. */
const COMPUTE_LANE = 0;
const LOCAL_LANE = 1;
/** Distance between the tags of two repetitions, at least the number of streams. */
const STREAMS = 256;

export function collectiveGraph(list: MessageList, run: CollectiveRun): WorkloadGraph {
  const builder = new GraphBuilder(run.name, 'message');
  const ends = endsByRank(list, run.ranks);
  const numbers = new Numbers(list, run, ends);
  for (let rank = 0; rank < run.ranks; rank++) {
    builder.beginRank(rank);
    for (let round = 0; round < run.repeat; round++) {
      if (numbers.hasBegin)
        builder.addRow(COMPUTE, run.computePs, 0, 0, run.computePs > 0 ? COMPUTE_LANE : NO_LANE, 0, 0);
      for (let place = ends.first[rank]; place < ends.first[rank + 1]; place++) {
        addEnd(builder, list, run, ends.of[place], round * STREAMS);
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

function addEnd(builder: GraphBuilder, list: MessageList, run: CollectiveRun, end: number, firstTag: number): void {
  const message = end >>> 1;
  const isReceiver = (end & 1) === 1;
  const place = message + 1;
  if (list.isLocal[message] === 1) {
    const bits = 8 * list.bytes[message];
    const durationPs = run.localBps > 0 ? Math.round((bits / run.localBps) * PS_PER_SECOND) : 0;
    if (isReceiver) builder.addRow(COMPUTE, run.localLatencyPs, 0, 0, NO_LANE, LINK_TIME, place);
    else builder.addRow(COMPUTE, durationPs, 0, 0, LOCAL_LANE, LINK_TIME, place);
    return;
  }
  const peer = isReceiver ? list.from[message] : list.to[message];
  const tag = firstTag + list.stream[message];
  builder.addRow(isReceiver ? RECEIVE : SEND, list.bytes[message], peer, tag, NO_LANE, 0, place);
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
