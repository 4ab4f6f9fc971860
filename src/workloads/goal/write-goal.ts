/**
 * Writes graphs as GOAL text, in the strict form that the original converter accepts (docs/specs/workloads.md, 1.1):
 * blocks in order, no leading blanks, labels defined before use, nothing after an operation.
 *
 * Because labels must be defined before use, all operations of a rank come first, then its dependencies.
 *
 * GOAL cannot express: operations without a lane (they get separate lanes, as long as there are any), picoseconds
 * (durations must be whole nanoseconds), dependencies between ranks, 32-bit tags (they are renumbered).
 */
import { checkRecord, reject } from '../../config/field-rules.js';
import { PS_PER_NS } from '../../units.js';
import { ANY, COMPUTE, SEND, WorkloadGraph, NO_LANE } from '../graph/workload-graph.js';
import { rejectWorkload } from '../workload-error.js';

/** Options for writing a graph. */
export interface GoalWriteOptions {
  /** Whether durations are rounded to whole nanoseconds. Default false: other durations are rejected. */
  readonly rounded?: boolean;
}

const LINES_PER_PART = 1000;

/**
 * Writes a graph as GOAL text, in parts of several lines.
 *
 * @throws RoceError `invalid-workload` for what the format cannot express: a dependency between ranks, or a duration
 * that is not a whole number of nanoseconds.
 * @example
 * for (const part of writeGoal(graph)) file.write(part);
 */
export function* writeGoal(graph: WorkloadGraph, options: GoalWriteOptions = {}): Generator<string> {
  if (!(graph instanceof WorkloadGraph)) reject({ got: graph, allowed: 'a WorkloadGraph', where: 'graph' });
  const { rounded = false } = checkRecord(options, 'options') as GoalWriteOptions;
  if (typeof rounded !== 'boolean') reject({ got: rounded, allowed: [true, false], where: 'options.rounded' });
  yield `num_ranks ${graph.ranks}\n`;
  const before = awaitedBy(graph);
  const tags = new TagNumbers();
  for (let rank = 0; rank < graph.ranks; rank++) {
    yield `rank ${rank} {\n`;
    yield* inParts(blockLines(graph, rank, before, { rounded, tags }));
    yield '}\n';
  }
}

interface Writing {
  readonly rounded: boolean;
  readonly tags: TagNumbers;
}

/** Dependencies of operations, and whether each is on a start. */
interface Awaited {
  readonly first: Uint32Array;
  readonly of: Uint32Array;
  readonly isStart: Uint8Array;
}

function awaitedBy({ length, edges: { firstEdge, endEdges, edges, waitsFor } }: WorkloadGraph): Awaited {
  const first = new Uint32Array(length + 1);
  for (let operation = 0; operation < length; operation++)
    first[operation + 1] = first[operation] + waitsFor[operation];
  const next = first.slice();
  const of = new Uint32Array(edges.length);
  const isStart = new Uint8Array(edges.length);
  for (let operation = 0; operation < length; operation++) {
    for (let place = firstEdge[operation]; place < firstEdge[operation + 1]; place++) {
      const at = next[edges[place]]++;
      of[at] = operation;
      isStart[at] = Number(place >= firstEdge[operation] + endEdges[operation]);
    }
  }
  return { first, of, isStart };
}

function* blockLines(graph: WorkloadGraph, rank: number, before: Awaited, writing: Writing): Generator<string> {
  const [from, to] = [graph.firstOperation[rank], graph.firstOperation[rank + 1]];
  const lanes = new LaneChooser(graph, from, to);
  for (let operation = from; operation < to; operation++) {
    yield `o${operation - from}: ${operationText(graph, operation, lanes.laneOf(operation), writing)}`;
  }
  for (let operation = from; operation < to; operation++) {
    for (let at = before.first[operation]; at < before.first[operation + 1]; at++) {
      const awaited = before.of[at];
      if (awaited < from || awaited >= to) rejectAcross(graph, operation, awaited);
      yield `o${operation - from} ${before.isStart[at] === 1 ? 'irequires' : 'requires'} o${awaited - from}`;
    }
  }
}

function operationText(graph: WorkloadGraph, operation: number, lane: number, { rounded, tags }: Writing): string {
  const { kind, amount, peer, tag, nic } = graph.operations;
  const cpu = lane === 0 ? '' : ` cpu ${lane}`;
  if (kind[operation] === COMPUTE) {
    const durationNs = amount[operation] / PS_PER_NS;
    if (!rounded && !Number.isInteger(durationNs)) {
      const hint = 'It can be rounded: { rounded: true }';
      rejectWorkload('BAD_SIZE', {
        what: `the duration of ${graph.describe(operation)}`,
        got: amount[operation],
        allowed: { multipleOf: PS_PER_NS, unit: 'ps' },
        where: graph.source,
        hint,
      });
    }
    return `calc ${Math.round(durationNs)}${cpu}`;
  }
  requireEnd(graph, operation);
  const number = tag[operation] === ANY ? '-1' : String(tags.of(tag[operation]));
  const port = nic[operation] === 0 ? '' : ` nic ${nic[operation]}`;
  const other = peer[operation] === ANY ? '-1' : String(peer[operation]);
  const words = kind[operation] === SEND ? 'to' : 'from';
  const verb = kind[operation] === SEND ? 'send' : 'recv';
  return `${verb} ${amount[operation]}b ${words} ${other} tag ${number}${cpu}${port}`;
}

/** @throws RoceError `invalid-workload`, `BAD_SIZE`, for a message that never ends. */
function requireEnd(graph: WorkloadGraph, operation: number): void {
  if (graph.operations.amount[operation] < Infinity) return;
  const problem = 'has no end, which GOAL cannot express';
  rejectWorkload('BAD_SIZE', { what: graph.describe(operation), problem, where: graph.source });
}

function rejectAcross(graph: WorkloadGraph, operation: number, awaited: number): never {
  return rejectWorkload('GOAL_SYNTAX', {
    what: graph.describe(operation),
    problem: `waits for ${graph.describe(awaited)}, but GOAL has no dependencies between ranks`,
    where: graph.source,
  });
}

/** Renumbers tags: those of collectives are large, and other readers may treat them as signed numbers. */
class TagNumbers {
  readonly #numbers = new Map<number, number>();

  of(tag: number): number {
    if (tag < LARGE_TAG) return tag;
    const known = this.#numbers.get(tag);
    if (known !== undefined) return known;
    const made = FIRST_NUMBER + this.#numbers.size;
    this.#numbers.set(tag, made);
    return made;
  }
}

const LARGE_TAG = 2 ** 30;
const FIRST_NUMBER = 2 ** 30;

function* inParts(lines: Iterable<string>): Generator<string> {
  let part: string[] = [];
  for (const line of lines) {
    part.push(line);
    if (part.length < LINES_PER_PART) continue;
    yield `${part.join('\n')}\n`;
    part = [];
  }
  if (part.length > 0) yield `${part.join('\n')}\n`;
}

const LANE_MAX = 255;

/**
 * Assigns lanes to operations that need none, for a format in which each operation has one. Operations that take no
 * time on a lane (sends, receives, computes of 0) share the lane after the used ones, which nothing occupies; each
 * compute that takes time gets a separate one.
 */
class LaneChooser {
  readonly #graph: WorkloadGraph;
  /** The shared lane that nothing occupies. */
  readonly #free: number;
  #next: number;

  /** For a rank's operations from `from` up to, not including, `to`. */
  constructor(graph: WorkloadGraph, from: number, to: number) {
    const { lane } = graph.operations;
    this.#graph = graph;
    let highest = -1;
    for (let operation = from; operation < to; operation++) {
      if (lane[operation] !== NO_LANE) highest = Math.max(highest, lane[operation]);
    }
    this.#free = highest + 1;
    this.#next = this.#free + 1;
  }

  /** @throws RoceError `invalid-workload`, `BAD_LANE`, if there are too few lanes. */
  laneOf(operation: number): number {
    const { lane, kind, amount } = this.#graph.operations;
    if (lane[operation] !== NO_LANE) return lane[operation];
    const chosen = kind[operation] === COMPUTE && amount[operation] > 0 ? this.#next++ : this.#free;
    if (chosen <= LANE_MAX) return chosen;
    return rejectWorkload('BAD_LANE', {
      what: this.#graph.describe(operation),
      problem: `needs a separate lane, but the highest lane is ${LANE_MAX}`,
      where: this.#graph.source,
    });
  }
}
