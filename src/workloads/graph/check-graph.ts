/** Finds faults before a run: messages without a receive, receives without a message, cycles. */
import { rejectWorkload } from '../workload-error.js';
import { ChannelTable } from './channels.js';
import { RECEIVE, SEND, type WorkloadGraph, ANY } from './workload-graph.js';

/**
 * Checks that a graph can complete, as far as that is known before a run.
 *
 * @param cycle fault to report for a cycle.
 * @throws RoceError `invalid-workload`: `UNMATCHED_SEND`, `UNMATCHED_RECV` or `CYCLE`, naming the operations.
 */
export function checkGraph(graph: WorkloadGraph, cycle: 'CYCLE' | 'STUCK' = 'CYCLE'): WorkloadGraph {
  const matching = matchingOf(graph);
  checkMatching(graph, matching);
  checkCycles(graph, matching, cycle);
  return graph;
}

/**
 * Checks that all operations can complete, by running the graph without times: an operation is done when its
 * dependencies are, and a receive also needs a message started on its channel. Which message it gets does not change
 * the outcome, so operations that remain are on a cycle, or depend on one. No recursion: a chain may be as long as
 * there are operations.
 *
 * On ranks with wildcards, receives count as matched when they are posted, because the messages that they get depend on
 * times. If such a rank blocks a run, the run ends as stuck.
 *
 * @throws RoceError `invalid-workload`, fault `CYCLE`, naming the operations in order.
 */
function checkCycles(graph: WorkloadGraph, matching: Matching, fault: 'CYCLE' | 'STUCK'): void {
  const run = new UntimedRun(graph, matching);
  if (run.finish() === graph.length) return;
  const cycle = cycleOf(graph, matching, run);
  const named = cycle.slice(0, NAMED_MAX).map((operation) => graph.describe(operation));
  const others = cycle.length > NAMED_MAX ? ` and ${cycle.length - NAMED_MAX} others` : '';
  rejectWorkload(fault, {
    what: 'the graph',
    problem: `has a cycle of ${cycle.length} operations, each of which waits for the next: ${
      named.join(' > ')
    }${others}`,
    where: graph.source,
  });
}

class UntimedRun {
  /** 1 for each operation that has started. */
  readonly begun: Uint8Array;
  /** 1 for each operation that is done. */
  readonly done: Uint8Array;
  readonly waitsFor: Uint32Array;
  readonly #graph: WorkloadGraph;
  readonly #matching: Matching;
  /** By channel: number of messages that have started and are not received. */
  readonly #messages: Uint32Array;
  /** By channel: the first posted receive without a message; and for each receive the next one. */
  readonly #posted: Int32Array;
  readonly #nextPosted: Int32Array;
  readonly #ready: Uint32Array;
  #readyCount = 0;
  #doneCount = 0;

  constructor(graph: WorkloadGraph, matching: Matching) {
    this.#graph = graph;
    this.#matching = matching;
    this.begun = new Uint8Array(graph.length);
    this.done = new Uint8Array(graph.length);
    this.waitsFor = graph.edges.waitsFor.slice();
    this.#messages = new Uint32Array(matching.channels.length);
    this.#posted = new Int32Array(matching.channels.length).fill(-1);
    this.#nextPosted = new Int32Array(graph.length);
    this.#ready = new Uint32Array(graph.length);
  }

  /** Returns the number of operations that complete. */
  finish(): number {
    for (let operation = 0; operation < this.#graph.length; operation++) {
      if (this.waitsFor[operation] === 0) this.#ready[this.#readyCount++] = operation;
    }
    while (this.#readyCount > 0) this.#begin(this.#ready[--this.#readyCount]);
    return this.#doneCount;
  }

  #begin(operation: number): void {
    const { firstEdge, endEdges } = this.#graph.edges;
    this.begun[operation] = 1;
    this.#meet(firstEdge[operation] + endEdges[operation], firstEdge[operation + 1]);
    const kind = this.#graph.operations.kind[operation];
    const channel = this.#matching.channelOf[operation];
    if (kind === SEND) {
      this.#end(operation);
      this.#send(channel);
    } else if (kind === RECEIVE && channel >= 0 && !this.#isLoose(channel)) this.#receive(operation, channel);
    else this.#end(operation);
  }

  #isLoose(channel: number): boolean {
    return this.#matching.hasWildcard[this.#matching.channels.destinationOf(channel)] === 1;
  }

  #send(channel: number): void {
    const receive = this.#posted[channel];
    if (receive < 0) this.#messages[channel]++;
    else {
      this.#posted[channel] = this.#nextPosted[receive];
      this.#end(receive);
    }
  }

  #receive(operation: number, channel: number): void {
    if (this.#messages[channel] > 0) {
      this.#messages[channel]--;
      this.#end(operation);
      return;
    }
    this.#nextPosted[operation] = this.#posted[channel];
    this.#posted[channel] = operation;
  }

  #end(operation: number): void {
    const { firstEdge, endEdges } = this.#graph.edges;
    this.done[operation] = 1;
    this.#doneCount++;
    this.#meet(firstEdge[operation], firstEdge[operation] + endEdges[operation]);
  }

  #meet(from: number, to: number): void {
    const { edges } = this.#graph.edges;
    for (let place = from; place < to; place++) {
      if (--this.waitsFor[edges[place]] === 0) this.#ready[this.#readyCount++] = edges[place];
    }
  }
}

/** From a remaining operation, follows operations that wait for each other until one repeats. */
function cycleOf(graph: WorkloadGraph, matching: Matching, run: UntimedRun): number[] {
  const awaited = awaitedBy(graph, run);
  const sends = unsentByChannel(graph, matching, run);
  const place = new Map<number, number>();
  const path: number[] = [];
  let at = run.done.indexOf(0);
  while (!place.has(at)) {
    place.set(at, path.length);
    path.push(at);
    at = run.waitsFor[at] > 0 ? awaited[at] : (sends.get(matching.channelOf[at]) ?? at);
  }
  return path.slice(place.get(at));
}

/** For each operation, one that it waits for and that never completes. */
function awaitedBy({ length, edges: { firstEdge, endEdges, edges } }: WorkloadGraph, run: UntimedRun): Uint32Array {
  const awaited = new Uint32Array(length);
  for (let operation = 0; operation < length; operation++) {
    const split = firstEdge[operation] + endEdges[operation];
    const from = run.done[operation] === 1 ? split : firstEdge[operation];
    const to = run.begun[operation] === 1 ? split : firstEdge[operation + 1];
    for (let place = from; place < to; place++) awaited[edges[place]] = operation;
  }
  return awaited;
}

function unsentByChannel({ length, operations: { kind } }: WorkloadGraph, { channelOf }: Matching,
  run: UntimedRun): Map<number, number> {
  const sends = new Map<number, number>();
  for (let operation = 0; operation < length; operation++) {
    if (kind[operation] === SEND && run.begun[operation] === 0) sends.set(channelOf[operation], operation);
  }
  return sends;
}

/** Maximum number of operations named in an error. */
const NAMED_MAX = 16;

/** Sends and receives by channel, and receives with wildcards. */
export interface Matching {
  readonly channels: ChannelTable;
  /** Channel of each send, and of each receive without wildcards; -1 for other operations. */
  readonly channelOf: Int32Array;
  /** Whether each rank has a receive with a wildcard. */
  readonly hasWildcard: Uint8Array;
}

export function matchingOf(graph: WorkloadGraph): Matching {
  const { kind, peer, tag } = graph.operations;
  const channels = new ChannelTable();
  const channelOf = new Int32Array(graph.length).fill(-1);
  const hasWildcard = new Uint8Array(graph.ranks);
  forEachOperation(graph, (operation, rank) => {
    if (kind[operation] === SEND) channelOf[operation] = channels.add(rank, peer[operation], tag[operation]);
    if (kind[operation] !== RECEIVE) return;
    if (peer[operation] === ANY || tag[operation] === ANY) hasWildcard[rank] = 1;
    else channelOf[operation] = channels.add(peer[operation], rank, tag[operation]);
  });
  return { channels, channelOf, hasWildcard };
}

/** Calls the visitor for each operation in order, with its rank. */
export function forEachOperation({ firstOperation, ranks }: WorkloadGraph,
  visit: (operation: number, rank: number) => void): void {
  for (let rank = 0; rank < ranks; rank++) {
    for (let operation = firstOperation[rank]; operation < firstOperation[rank + 1]; operation++)
      visit(operation, rank);
  }
}

/**
 * Checks that every message has a receive, and every receive a message. Without wildcards, counts must agree for each
 * source, destination and tag. With wildcards, they must agree for all messages to a rank, and no receive may need more
 * than is sent.
 *
 * @throws RoceError `invalid-workload`, `UNMATCHED_SEND` or `UNMATCHED_RECV`, naming the first unmatched operations.
 */
function checkMatching(graph: WorkloadGraph, matching: Matching): void {
  const { channels, channelOf, hasWildcard } = matching;
  const { kind } = graph.operations;
  const balance = new Int32Array(channels.length);
  for (let operation = 0; operation < graph.length; operation++) {
    if (channelOf[operation] >= 0) balance[channelOf[operation]] += kind[operation] === SEND ? 1 : -1;
  }
  const isExact = (channel: number): boolean => hasWildcard[channels.destinationOf(channel)] === 0;
  rejectSurplus(graph, channelOf, balance, (channel) => balance[channel] < 0, RECEIVE);
  rejectSurplus(graph, channelOf, balance, (channel) => balance[channel] > 0 && isExact(channel), SEND);
  checkWildcards(graph, matching, balance);
}

/** If a channel has too many operations of one kind, the last ones are those without a match. */
function rejectSurplus(graph: WorkloadGraph, channelOf: Int32Array, balance: Int32Array,
  isWrong: (channel: number) => boolean, surplus: number): void {
  if (!balance.some((_, channel) => isWrong(channel))) return;
  const left = Int32Array.from(balance, (number, channel) => (isWrong(channel) ? Math.abs(number) : 0));
  const found: number[] = [];
  for (let operation = graph.length - 1; operation >= 0; operation--) {
    const channel = channelOf[operation];
    if (channel < 0 || graph.operations.kind[operation] !== surplus || left[channel] === 0) continue;
    left[channel]--;
    found.push(operation);
  }
  rejectOperations(graph, found.reverse(), surplus);
}

function rejectOperations(graph: WorkloadGraph, found: readonly number[], surplus: number): never {
  const isSend = surplus === SEND;
  const named = found.slice(0, NAMED_MAX).map((operation) => graph.describe(operation));
  rejectWorkload(isSend ? 'UNMATCHED_SEND' : 'UNMATCHED_RECV', {
    what: `the ${isSend ? 'send' : 'receive'} ${named[0] ?? ''}`,
    problem: `${isSend ? 'has no matching receive' : 'has no matching send'}; there ${
      found.length === 1 ? 'is 1 such operation' : `are ${found.length} such operations`
    }${named.length > 1 ? `: ${named.slice(1).join('; ')}` : ''}`,
    where: graph.source,
  });
}

/**
 * Checks that wildcard receives find enough messages: for each rank in total, from each of its sources, and with each
 * tag. Messages that suffice for each check may still be too few for all together; such a run ends as stuck.
 */
function checkWildcards(graph: WorkloadGraph, matching: Matching, balance: Int32Array): void {
  const { channels, hasWildcard } = matching;
  if (!hasWildcard.includes(1)) return;
  const left = new Int32Array(graph.ranks);
  balance.forEach((number, channel) => {
    left[channels.destinationOf(channel)] += number;
  });
  const fromSource = leftBy(matching, balance, (channel) => channels.sourceOf(channel));
  const withTag = leftBy(matching, balance, (channel) => channels.tagOf(channel));
  const unmet: number[] = [];
  const { kind, peer, tag } = graph.operations;
  forEachOperation(graph, (operation, rank) => {
    if (kind[operation] !== RECEIVE || (peer[operation] !== ANY && tag[operation] !== ANY)) return;
    const isFromOne = peer[operation] === ANY || take(fromSource, peer[operation], rank);
    const isOfTag = tag[operation] === ANY || take(withTag, tag[operation], rank);
    if (left[rank]-- <= 0 || !isFromOne || !isOfTag) unmet.push(operation);
  });
  if (unmet.length > 0) rejectOperations(graph, unmet, RECEIVE);
  const rank = left.findIndex((number, at) => hasWildcard[at] === 1 && number > 0);
  if (rank >= 0) rejectOperations(graph, lastSendsTo(graph, rank, left[rank]), SEND);
}

/** Messages to ranks with wildcards that no exact receive takes, by rank and a second key. */
function leftBy({ channels, hasWildcard }: Matching, balance: Int32Array,
  keyOf: (channel: number) => number): Map<string, number> {
  const left = new Map<string, number>();
  balance.forEach((number, channel) => {
    const rank = channels.destinationOf(channel);
    if (hasWildcard[rank] === 0) return;
    const key = `${keyOf(channel)} ${rank}`;
    left.set(key, (left.get(key) ?? 0) + number);
  });
  return left;
}

/** Takes one from the count; returns false if none is left. */
function take(left: Map<string, number>, key: number, rank: number): boolean {
  const before = left.get(`${key} ${rank}`) ?? 0;
  left.set(`${key} ${rank}`, before - 1);
  return before > 0;
}

function lastSendsTo(graph: WorkloadGraph, rank: number, count: number): number[] {
  const { kind, peer } = graph.operations;
  const found: number[] = [];
  for (let operation = graph.length - 1; operation >= 0 && found.length < count; operation--) {
    if (kind[operation] === SEND && peer[operation] === rank) found.push(operation);
  }
  return found.reverse();
}
