/**
 * Trees. Binomial: in round k, the ranks below 2^k send to those 2^k further on. Double binary (P. Sanders, J. Speck,
 * J. L. Träff, Parallel Computing 2009): two trees in which, for even n, each rank is an inner node of one and a leaf
 * of the other; each tree carries half of the bytes in chunks, up to the root and down again.
 */
import { partBytes, type MessageList } from './message-list.js';

/** Binomial tree from rank 0, or to it if `isReversed`: a rank then sends after it has received from its subtree. */
export function addBinomial(list: MessageList, n: number, sizeBytes: number, isReversed = false): void {
  const edges: { readonly round: number; readonly near: number; readonly far: number }[] = [];
  for (let round = 0; 2 ** round < n; round++) {
    for (let near = 0; near < 2 ** round && near + 2 ** round < n; near++) {
      edges.push({ round, near, far: near + 2 ** round });
    }
  }
  const received: number[][] = Array.from({ length: n }, () => []);
  const last = edges[edges.length - 1]?.round ?? 0;
  for (const { round, near, far } of isReversed ? edges.reverse() : edges) {
    const [from, to] = isReversed ? [far, near] : [near, far];
    const step = isReversed ? last - round : round;
    received[to].push(list.add({ step, from, to, bytes: sizeBytes }, [...received[from]]));
  }
}

/** Chain that starts at rank 0, chunk by chunk. */
export function addChain(list: MessageList, n: number, sizeBytes: number, chunks: number): void {
  for (let chunk = 0; chunk < chunks; chunk++) {
    let before: number[] = [];
    for (let from = 0; from + 1 < n; from++) {
      const bytes = partBytes(sizeBytes, chunks, chunk);
      before = [list.add({ step: chunk + from, from, to: from + 1, bytes }, before)];
    }
  }
}

interface Tree {
  /** Parent of each rank; -1 for the root. */
  readonly parentOf: readonly number[];
  /** Ranks in order: the root first, then level by level. */
  readonly downwards: readonly number[];
}

export function addDoubleTree(list: MessageList, n: number, sizeBytes: number, chunks: number): void {
  const half = Math.floor(sizeBytes / 2);
  const mirrored = (rank: number): number => (n % 2 === 0 ? n - 1 - rank : (rank + 1) % n);
  const trees = [treeOf(n, (rank) => rank), treeOf(n, mirrored)];
  trees.forEach((tree, number) => {
    const bytes = number === 0 ? half : sizeBytes - half;
    for (let chunk = 0; chunk < chunks; chunk++) {
      addUpAndDown(list, tree, { step: chunk, bytes: partBytes(bytes, chunks, chunk), stream: 2 * number });
    }
  });
}

function addUpAndDown(list: MessageList, { parentOf, downwards }: Tree,
  { step, bytes, stream }: { readonly step: number; readonly bytes: number; readonly stream: number }): void {
  const fromChildren: number[][] = parentOf.map(() => []);
  for (const from of upwards(parentOf, downwards)) {
    const to = parentOf[from];
    if (to >= 0) fromChildren[to].push(list.add({ step, from, to, bytes, stream }, fromChildren[from]));
  }
  const fromParent: number[][] = parentOf.map(() => []);
  fromParent[downwards[0]] = fromChildren[downwards[0]];
  for (const to of downwards) {
    const from = parentOf[to];
    if (from >= 0) fromParent[to] = [list.add({ step, from, to, bytes, stream: stream + 1 }, fromParent[from])];
  }
}

/** Ranks level by level, the deepest level first, and by rank within a level. */
function upwards(parentOf: readonly number[], downwards: readonly number[]): number[] {
  const depth = depths(parentOf, downwards);
  return [...downwards].sort((a, b) => depth[b] - depth[a] || a - b);
}

function depths(parentOf: readonly number[], downwards: readonly number[]): number[] {
  const depth = parentOf.map(() => 0);
  for (const rank of downwards) depth[rank] = parentOf[rank] < 0 ? 0 : depth[parentOf[rank]] + 1;
  return depth;
}

/** Rank 0 is the root; parents of other ranks follow from their lowest bit; then ranks are renamed. */
function treeOf(n: number, rename: (rank: number) => number): Tree {
  const parentOf = Array.from({ length: n }, () => -1);
  for (let rank = 1; rank < n; rank++) parentOf[rename(rank)] = rename(plainParent(rank, n));
  const children: number[][] = parentOf.map(() => []);
  parentOf.forEach((parent, rank) => {
    if (parent >= 0) children[parent].push(rank);
  });
  const downwards = [rename(0)];
  for (let level = downwards; level.length > 0;) {
    level = level.flatMap((rank) => children[rank]).sort((a, b) => a - b);
    downwards.push(...level);
  }
  return { parentOf, downwards };
}

function plainParent(rank: number, n: number): number {
  const bit = rank & -rank;
  const parent = (rank ^ bit) | (2 * bit);
  return parent < n ? parent : rank ^ bit;
}
