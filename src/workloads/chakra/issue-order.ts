/** The order in which a rank issues its nodes: dependencies first, otherwise by id. */
import type { ChakraNode, NodeId } from './chakra-node.js';

/** @param placeOf index of each id in `nodes`. */
export function issueOrder(nodes: readonly ChakraNode[], placeOf: ReadonlyMap<NodeId, number>): number[] {
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
