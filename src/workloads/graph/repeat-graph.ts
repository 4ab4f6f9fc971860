/**
 * Repeats a graph: each rank starts again when all its operations are done, or, with a barrier, when those of all ranks
 * are done. Each repetition of a rank begins with an operation that takes no time, its joint.
 */
import { COMPUTE, NO_LANE, WorkloadGraph, type GraphCollective, type OperationColumns,
  type OperationNames } from './workload-graph.js';
import { edgeColumns } from './graph-builder.js';

const START_BIT = 0x80000000;

/** Number of operations in the repeated graph. */
export function repeatedLength({ length, ranks }: WorkloadGraph, iterations: number, barrier: boolean): number {
  return iterations * (length + ranks + Number(barrier));
}

/** @param iterations number of repetitions, at least 1. */
export function repeatGraph(graph: WorkloadGraph, iterations: number, barrier: boolean): WorkloadGraph {
  return new Repetition(graph, iterations, barrier).make();
}

class Repetition {
  readonly #graph: WorkloadGraph;
  readonly #iterations: number;
  readonly #barrier: boolean;
  /** First operation of each rank, plus the total number of operations. */
  readonly #first: Uint32Array;
  readonly #waiting: number[] = [];
  readonly #awaited: number[] = [];

  constructor(graph: WorkloadGraph, iterations: number, barrier: boolean) {
    this.#graph = graph;
    this.#iterations = iterations;
    this.#barrier = barrier;
    this.#first = new Uint32Array(graph.ranks + 1);
    for (let rank = 0; rank < graph.ranks; rank++) {
      this.#first[rank + 1] = this.#first[rank] + iterations * this.#perIteration(rank);
    }
  }

  make(): WorkloadGraph {
    const graph = this.#graph;
    const count = this.#first[graph.ranks];
    const from = this.#sources(count);
    const rankOf = this.#ranksByOperation();
    const ends = this.#openEnds(rankOf);
    for (let iteration = 0; iteration < this.#iterations; iteration++) {
      this.#copyEdges(rankOf, iteration);
      this.#begin(rankOf, ends, iteration);
    }
    const pairs = { waiting: Uint32Array.from(this.#waiting), awaited: Uint32Array.from(this.#awaited) };
    return new WorkloadGraph({
      firstOperation: this.#first,
      operations: copiedColumns(graph.operations, from),
      edges: edgeColumns(pairs, count, undefined),
      names: copiedNames(graph, from),
      source: graph.source,
      placeWord: graph.placeWord,
      notes: graph.notes,
      hostRanks: graph.hostRanks,
      failures: graph.failures,
      collectives: Array.from({ length: this.#iterations },
        (_, iteration) => graph.collectives.map((one) => this.#collective(one, rankOf, iteration))).flat(),
      iterations: this.#iterations,
    });
  }

  #perIteration(rank: number): number {
    const { firstOperation } = this.#graph;
    return firstOperation[rank + 1] - firstOperation[rank] + 1 + (this.#barrier && rank === 0 ? 1 : 0);
  }

  #joint(rank: number, iteration: number): number {
    return this.#first[rank] + iteration * this.#perIteration(rank);
  }

  /** New number of an operation: after the joint of its rank, and after the barrier on rank 0. */
  #number(rank: number, operation: number, iteration: number): number {
    const own = operation - this.#graph.firstOperation[rank];
    return this.#joint(rank, iteration) + 1 + (this.#barrier && rank === 0 ? 1 : 0) + own;
  }

  /** For each new operation, the original one; -1 for a joint. */
  #sources(count: number): Int32Array {
    const { ranks, firstOperation } = this.#graph;
    const from = new Int32Array(count).fill(-1);
    for (let rank = 0; rank < ranks; rank++) {
      for (let iteration = 0; iteration < this.#iterations; iteration++) {
        for (let operation = firstOperation[rank]; operation < firstOperation[rank + 1]; operation++) {
          from[this.#number(rank, operation, iteration)] = operation;
        }
      }
    }
    return from;
  }

  #ranksByOperation(): Uint32Array {
    const { ranks, firstOperation, length } = this.#graph;
    const rankOf = new Uint32Array(length);
    for (let rank = 0; rank < ranks; rank++) rankOf.fill(rank, firstOperation[rank], firstOperation[rank + 1]);
    return rankOf;
  }

  /** 1 for each operation that no other operation of its rank waits for. */
  #openEnds(rankOf: Uint32Array): Uint8Array {
    const { length, edges: { firstEdge, endEdges, edges } } = this.#graph;
    const isOpen = new Uint8Array(length).fill(1);
    for (let operation = 0; operation < length; operation++) {
      for (let place = firstEdge[operation]; place < firstEdge[operation] + endEdges[operation]; place++) {
        if (rankOf[edges[place]] === rankOf[operation]) isOpen[operation] = 0;
      }
    }
    return isOpen;
  }

  #depend(waiting: number, awaited: number): void {
    this.#waiting.push(waiting);
    this.#awaited.push(awaited);
  }

  #copyEdges(rankOf: Uint32Array, iteration: number): void {
    const { length, edges: { firstEdge, endEdges, edges } } = this.#graph;
    for (let operation = 0; operation < length; operation++) {
      const awaited = this.#number(rankOf[operation], operation, iteration);
      const split = firstEdge[operation] + endEdges[operation];
      for (let place = firstEdge[operation]; place < firstEdge[operation + 1]; place++) {
        const waiting = this.#number(rankOf[edges[place]], edges[place], iteration);
        this.#depend(waiting, place < split ? awaited : (awaited | START_BIT) >>> 0);
      }
    }
  }

  /**
   * Operations without dependencies wait for their rank's joint, which waits for the open ends of the previous
   * iteration.
   */
  #begin(rankOf: Uint32Array, isOpen: Uint8Array, iteration: number): void {
    const { length, edges: { waitsFor } } = this.#graph;
    const gate = this.#joint(0, iteration) + 1;
    for (let operation = 0; operation < length; operation++) {
      const joint = this.#joint(rankOf[operation], iteration);
      if (waitsFor[operation] === 0) this.#depend(this.#number(rankOf[operation], operation, iteration), joint);
      if (isOpen[operation] === 0 || iteration === 0) continue;
      this.#depend(this.#barrier ? gate : joint, this.#number(rankOf[operation], operation, iteration - 1));
    }
    if (!this.#barrier || iteration === 0) return;
    for (let rank = 0; rank < this.#graph.ranks; rank++) this.#depend(this.#joint(rank, iteration), gate);
  }

  #collective(one: GraphCollective, rankOf: Uint32Array, iteration: number): GraphCollective {
    const moved = (operation: number): number => this.#number(rankOf[operation], operation, iteration);
    return {
      ...one,
      begins: one.begins.map((begin) => (begin < 0 ? begin : moved(begin))),
      from: one.from.map(moved),
    };
  }
}

function copiedColumns(columns: OperationColumns, from: Int32Array): OperationColumns {
  const copied: OperationColumns = {
    kind: new Uint8Array(from.length).fill(COMPUTE),
    lane: new Uint16Array(from.length).fill(NO_LANE),
    nic: new Uint8Array(from.length),
    peer: new Uint32Array(from.length),
    tag: new Uint32Array(from.length),
    amount: new Float64Array(from.length),
    place: new Uint32Array(from.length),
  };
  for (const name of Object.keys(copied) as (keyof OperationColumns)[]) {
    const [source, target] = [columns[name], copied[name]];
    for (let index = 0; index < from.length; index++) if (from[index] >= 0) target[index] = source[from[index]];
  }
  return copied;
}

function copiedNames({ names }: WorkloadGraph, from: Int32Array): OperationNames | undefined {
  if (names === undefined) return undefined;
  const copy = (column: Uint32Array): Uint32Array =>
    Uint32Array.from(from, (operation) => (operation < 0 ? 0 : column[operation]));
  return { bytes: names.bytes, begin: copy(names.begin), end: copy(names.end) };
}
