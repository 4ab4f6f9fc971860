/**
 * Builds a graph while it is read: ranks in any order, operations and dependencies as they come, in growing columns. At
 * the end, everything is sorted and counted once.
 */
import type { WorkloadNote } from '../notes.js';
import { rejectWorkload } from '../workload-error.js';
import { MOST_OPERATIONS, NO_LANE, WorkloadGraph, type GraphCollective, type LinkFailure, type OperationColumns,
  type EdgeColumns } from './workload-graph.js';

const FIRST_CAPACITY = 64;
/** Bit in the column of dependencies: the dependency is on the start of the operation. */
export const START_BIT = 0x80000000;

/** Fields of an operation to add. */
export interface NewOperation {
  readonly kind: number;
  readonly amount: number;
  readonly peer?: number;
  readonly tag?: number;
  readonly lane?: number;
  readonly nic?: number;
  readonly place?: number;
}

/** Consecutive operations of one rank. */
export interface RankBlock {
  readonly rank: number;
  readonly begin: number;
  end: number;
}

/** Collects operations and dependencies; the operations of a rank must be added together. */
export class GraphBuilder {
  readonly #source: string;
  readonly #placeWord: string;
  readonly #blocks: RankBlock[] = [];
  readonly #notes: WorkloadNote[] = [];
  readonly #failures: LinkFailure[] = [];
  readonly #collectives: GraphCollective[] = [];
  #iterations = 1;
  #operations = operationColumns(FIRST_CAPACITY);
  #count = 0;
  #waiting = new Uint32Array(FIRST_CAPACITY);
  #awaited = new Uint32Array(FIRST_CAPACITY);
  #edgeCount = 0;
  #nameBytes = new Uint8Array(FIRST_CAPACITY);
  #nameLength = 0;
  #nameBegin = new Uint32Array(0);
  #nameEnd = new Uint32Array(0);

  /** @param source name for errors; @param placeWord word for the places of operations, such as `line`. */
  constructor(source: string, placeWord = 'line') {
    this.#source = source;
    this.#placeWord = placeWord;
  }

  /** Number of operations so far, which is the index of the next one. */
  get length(): number {
    return this.#count;
  }

  /** Assigns the following operations to this rank. */
  beginRank(rank: number): void {
    this.#blocks.push({ rank, begin: this.#count, end: this.#count });
  }

  note(note: WorkloadNote): void {
    this.#notes.push(note);
  }

  /** Adds a link that is down for the whole run. */
  fail(failure: LinkFailure): void {
    this.#failures.push(failure);
  }

  /** Adds a collective, which refers to added operations. */
  collective(collective: GraphCollective): void {
    this.#collectives.push(collective);
  }

  /** Sets the number of equal parts that each rank's operations consist of. */
  iterate(iterations: number): void {
    this.#iterations = iterations;
  }

  /** @returns the operation's index, for `depend` and `nameLast`. */
  add({ kind, amount, peer = 0, tag = 0, lane = NO_LANE, nic = 0, place = 0 }: NewOperation): number {
    return this.addRow(kind, amount, peer, tag, lane, nic, place);
  }

  /** As `add`, but without an object, for readers of large files. */
  // eslint-disable-next-line max-params -- called for ten million operations, so no object per call
  addRow(kind: number, amount: number, peer: number, tag: number, lane: number, nic: number, place: number): number {
    if (this.#count === this.#operations.kind.length) this.#grow();
    const index = this.#count++;
    const columns = this.#operations;
    columns.kind[index] = kind;
    columns.amount[index] = amount;
    columns.peer[index] = peer;
    columns.tag[index] = tag;
    columns.lane[index] = lane;
    columns.nic[index] = nic;
    columns.place[index] = place;
    const block = this.#blocks[this.#blocks.length - 1];
    block.end = this.#count;
    return index;
  }

  /** Lets `operation` wait until `awaited` is done, or, if `afterStart`, has started. */
  depend(operation: number, awaited: number, afterStart = false): void {
    if (this.#edgeCount === this.#waiting.length) {
      this.#waiting = grown(this.#waiting);
      this.#awaited = grown(this.#awaited);
    }
    this.#waiting[this.#edgeCount] = operation;
    this.#awaited[this.#edgeCount++] = afterStart ? (awaited | START_BIT) >>> 0 : awaited;
  }

  /** Sets the name of an operation, from the bytes of a file. */
  name(operation: number, bytes: Uint8Array, from: number, to: number): void {
    if (this.#nameBegin.length < this.#operations.kind.length) {
      this.#nameBegin = resized(this.#nameBegin, this.#operations.kind.length);
      this.#nameEnd = resized(this.#nameEnd, this.#operations.kind.length);
    }
    const length = to - from;
    while (this.#nameLength + length > this.#nameBytes.length) {
      const more = new Uint8Array(this.#nameBytes.length * 2);
      more.set(this.#nameBytes);
      this.#nameBytes = more;
    }
    const target = this.#nameBytes;
    let next = this.#nameLength;
    this.#nameBegin[operation] = next;
    for (let at = from; at < to; at++) target[next++] = bytes[at];
    this.#nameLength = next;
    this.#nameEnd[operation] = next;
  }

  /**
   * Returns the graph, not yet checked. The builder must not be used afterwards.
   *
   * @param ranks number of ranks; each must have been begun exactly once, in any order.
   * @param hostRanks ranks beyond this number share the host of rank 0, and are not in results.
   */
  finish(ranks: number, hostRanks = ranks): WorkloadGraph {
    const firstOperation = new Uint32Array(ranks + 1);
    const newNumbers = placesInOrder(this.#blocks, firstOperation, this.#count);
    const count = this.#count;
    const pairs = {
      waiting: this.#waiting.subarray(0, this.#edgeCount),
      awaited: this.#awaited.subarray(0, this.#edgeCount),
    };
    const hasNames = this.#nameLength > 0;
    return new WorkloadGraph({
      firstOperation,
      operations: mapColumns(this.#operations, (column) => reordered(column, count, newNumbers)),
      edges: edgeColumns(pairs, count, newNumbers),
      names: hasNames ?
        {
          bytes: this.#nameBytes,
          begin: reordered(resized(this.#nameBegin, count), count, newNumbers),
          end: reordered(resized(this.#nameEnd, count), count, newNumbers),
        } :
        undefined,
      source: this.#source,
      placeWord: this.#placeWord,
      notes: this.#notes,
      hostRanks,
      failures: this.#failures,
      collectives: newNumbers === undefined ?
        this.#collectives :
        this.#collectives.map((one) => renumbered(one, newNumbers)),
      iterations: this.#iterations,
    });
  }

  #grow(): void {
    const length = this.#operations.kind.length;
    if (length >= MOST_OPERATIONS) {
      rejectWorkload('TOO_LARGE', {
        what: 'the number of operations',
        problem: 'is too large',
        allowed: { max: MOST_OPERATIONS },
        where: this.#source,
      });
    }
    this.#operations = mapColumns(this.#operations, (column) => grown(column));
  }
}

function renumbered(one: GraphCollective, newNumbers: Uint32Array): GraphCollective {
  const moved = (operation: number): number => (operation < 0 ? operation : newNumbers[operation]);
  return { ...one, begins: one.begins.map(moved), from: one.from.map(moved) };
}

type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

function operationColumns(capacity: number): OperationColumns {
  return {
    kind: new Uint8Array(capacity),
    lane: new Uint16Array(capacity),
    nic: new Uint8Array(capacity),
    peer: new Uint32Array(capacity),
    tag: new Uint32Array(capacity),
    amount: new Float64Array(capacity),
    place: new Uint32Array(capacity),
  };
}

function mapColumns(columns: OperationColumns, map: <Kind extends Column>(column: Kind) => Kind): OperationColumns {
  const { kind, lane, nic, peer, tag, amount, place } = columns;
  return {
    kind: map(kind),
    lane: map(lane),
    nic: map(nic),
    peer: map(peer),
    tag: map(tag),
    amount: map(amount),
    place: map(place),
  };
}

/** Returns a copy of twice the length. */
function grown<Kind extends Column>(column: Kind): Kind {
  return resized(column, column.length * 2);
}

function resized<Kind extends Column>(column: Kind, length: number): Kind {
  const Type = column.constructor as new(length: number) => Kind;
  const made = new Type(length);
  made.set(column.length > length ? column.subarray(0, length) : column);
  return made;
}

/** The first `count` entries, moved to their new indices. */
function reordered<Kind extends Column>(column: Kind, count: number, newNumbers: Uint32Array | undefined): Kind {
  // Copies, so that the larger grown column can be freed.
  const copy = column.slice(0, count) as Kind;
  if (newNumbers === undefined) return copy;
  for (let index = 0; index < count; index++) copy[newNumbers[index]] = column[index];
  return copy;
}

/**
 * Sorts operations by rank. Fills `firstOperation`, and returns the new index of each operation, or undefined if ranks are already in order.
 *
 * @param blocks consecutive operations, one block per rank.
 */
function placesInOrder(blocks: readonly { readonly rank: number; readonly begin: number; readonly end: number }[],
  firstOperation: Uint32Array, count: number): Uint32Array | undefined {
  const sorted = [...blocks].sort((a, b) => a.rank - b.rank);
  const isInOrder = blocks.every((block, index) => block === sorted[index]);
  const newNumbers = isInOrder ? undefined : new Uint32Array(count);
  let next = 0;
  let rank = 0;
  for (const block of sorted) {
    while (rank <= block.rank) firstOperation[rank++] = next;
    if (newNumbers === undefined) next = block.end;
    else for (let index = block.begin; index < block.end; index++) newNumbers[index] = next++;
  }
  firstOperation.fill(count, rank);
  return newNumbers;
}

/**
 * Pairs of operations in the order in which they were added; START_BIT in `awaited` marks a dependency on its start.
 */
export interface EdgePairs {
  readonly waiting: Uint32Array;
  readonly awaited: Uint32Array;
}

/** Counting sort, so that edges of an operation keep their order. */
export function edgeColumns({ waiting, awaited }: EdgePairs, count: number,
  newNumbers: Uint32Array | undefined): EdgeColumns {
  const pairs = newNumbers === undefined ? { waiting, awaited } : renumberedPairs({ waiting, awaited }, newNumbers);
  return inOrder(pairs, count);
}

function renumberedPairs({ waiting, awaited }: EdgePairs, newNumbers: Uint32Array): EdgePairs {
  return {
    waiting: waiting.map((one) => newNumbers[one]),
    awaited: awaited.map((one) => (newNumbers[one & ~START_BIT] | (one & START_BIT)) >>> 0),
  };
}

/** Plain loops, because there may be tens of millions. */
function inOrder({ waiting, awaited }: EdgePairs, count: number): EdgeColumns {
  const firstEdge = new Uint32Array(count + 1);
  const endEdges = new Uint32Array(count);
  const waitsFor = new Uint32Array(count);
  for (let pair = 0; pair < waiting.length; pair++) {
    const on = awaited[pair] & ~START_BIT;
    firstEdge[on + 1]++;
    if (awaited[pair] < START_BIT) endEdges[on]++;
    waitsFor[waiting[pair]]++;
  }
  for (let index = 0; index < count; index++) firstEdge[index + 1] += firstEdge[index];
  const edges = new Uint32Array(waiting.length);
  const nextEnd = firstEdge.slice(0, count);
  const nextStart = firstEdge.slice(0, count);
  for (let index = 0; index < count; index++) nextStart[index] += endEdges[index];
  for (let pair = 0; pair < waiting.length; pair++) {
    const on = awaited[pair] & ~START_BIT;
    if (awaited[pair] < START_BIT) edges[nextEnd[on]++] = waiting[pair];
    else edges[nextStart[on]++] = waiting[pair];
  }
  return { firstEdge, endEdges, edges, waitsFor };
}
