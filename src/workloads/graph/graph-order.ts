/** Sorts operations by rank, and dependencies by the operation that they wait for. */
import type { EdgeColumns } from './workload-graph.js';

const START_BIT = 0x80000000;

/**
 * Fills `firstOperation`, and returns the new index of each operation, or undefined if ranks are already in order.
 *
 * @param blocks consecutive operations, one block per rank.
 */
export function placesInOrder(
  blocks: readonly { readonly rank: number; readonly begin: number; readonly end: number }[],
  firstOperation: Uint32Array,
  count: number,
): Uint32Array | undefined {
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
  const pairs = newNumbers === undefined ? { waiting, awaited } : renumbered({ waiting, awaited }, newNumbers);
  return inOrder(pairs, count);
}

function renumbered({ waiting, awaited }: EdgePairs, newNumbers: Uint32Array): EdgePairs {
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
