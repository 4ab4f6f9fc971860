/**
 * Checks that all operations can complete, by running the graph without times: an operation is done when its
 * dependencies are, and a receive also needs a message started on its channel. Which message it gets does not change
 * the outcome, so operations that remain are on a cycle, or depend on one. No recursion: a chain may be as long as
 * there are operations.
 *
 * On ranks with wildcards, receives count as matched when they are posted, because the messages that they get depend on
 * times. If such a rank blocks a run, the run ends as stuck.
 */
import { rejectWorkload } from '../workload-error.js';
import type { Matching } from './check-matching.js';
import { RECEIVE, SEND, type WorkloadGraph } from './workload-graph.js';

/** Maximum number of operations of a cycle that are named in the error. */
const NAMED_MAX = 16;

/** @throws RoceError `invalid-workload`, fault `CYCLE`, naming the operations in order. */
export function checkCycles(graph: WorkloadGraph, matching: Matching, fault: 'CYCLE' | 'STUCK'): void {
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
