/** The algorithms of each collective; the first is its default. */
import { addBarrier, addDirect, addGather, addPairwise, addScatter } from './exchanges.js';
import { addDoubling, addHalving, addHalvingDoubling, addRecursiveDoubling } from './halving-doubling.js';
import { addHierarchicalAllReduce } from './hierarchical.js';
import { MessageList } from './message-list.js';
import { addChunkedRing, addTwoRings } from './ring.js';
import { addBinomial, addChain, addDoubleTree } from './trees.js';

/** Kind of a collective. */
export type CollectiveKind = 'all-reduce' | 'reduce-scatter' | 'all-gather' | 'all-to-all' | 'broadcast' | 'reduce'
  | 'gather' | 'scatter' | 'barrier';
/** Algorithm of a collective. */
export type CollectiveAlgorithm = 'ring' | 'two-rings' | 'halving-doubling' | 'recursive-doubling' | 'double-tree'
  | 'hierarchical' | 'direct' | 'pairwise' | 'binomial' | 'chain' | 'dissemination';

/** Size of a collective, and settings of its algorithm. */
export interface CollectiveSize {
  readonly n: number;
  /** Size in bytes; of an all-gather, that of the result. */
  readonly sizeBytes: number;
  readonly chunks: number;
  /** Number of ranks per server. */
  readonly perServer: number;
}

type Make = (list: MessageList, size: CollectiveSize) => void;

const ranksOf = (n: number): number[] => Array.from({ length: n }, (_, rank) => rank);
const ring = (stepsOf: (n: number) => number): Make => (list, { n, sizeBytes, chunks }) => {
  addChunkedRing(list, ranksOf(n), sizeBytes, stepsOf(n), chunks);
};
const directWithin: Make = (list, { n, sizeBytes, perServer }) => {
  addDirect(list, n, sizeBytes, (a, b) => Math.floor(a / perServer) === Math.floor(b / perServer));
};

/** Algorithms by collective, the default first. */
export const ALGORITHMS_OF: Readonly<Record<CollectiveKind, Readonly<Partial<Record<CollectiveAlgorithm, Make>>>>> = {
  'all-reduce': {
    ring: ring((n) => 2 * (n - 1)),
    'two-rings': (list, { n, sizeBytes }) => {
      addTwoRings(list, ranksOf(n), sizeBytes, 2 * (n - 1));
    },
    'halving-doubling': (list, { n, sizeBytes }) => {
      addHalvingDoubling(list, n, sizeBytes);
    },
    'recursive-doubling': (list, { n, sizeBytes }) => {
      addRecursiveDoubling(list, n, sizeBytes);
    },
    'double-tree': (list, { n, sizeBytes, chunks }) => {
      addDoubleTree(list, n, sizeBytes, chunks);
    },
    hierarchical: (list, { n, sizeBytes, perServer }) => {
      addHierarchicalAllReduce(list, n, sizeBytes, perServer);
    },
  },
  'reduce-scatter': {
    ring: ring((n) => n - 1),
    'halving-doubling': (list, { n, sizeBytes }) => {
      addHalving(list, n, sizeBytes);
    },
  },
  'all-gather': {
    ring: ring((n) => n - 1),
    'halving-doubling': (list, { n, sizeBytes }) => {
      addDoubling(list, n, sizeBytes);
    },
  },
  'all-to-all': {
    direct: (list, { n, sizeBytes }) => {
      addDirect(list, n, sizeBytes);
    },
    pairwise: (list, { n, sizeBytes }) => {
      addPairwise(list, n, sizeBytes);
    },
    hierarchical: directWithin,
  },
  broadcast: {
    binomial: (list, { n, sizeBytes }) => {
      addBinomial(list, n, sizeBytes);
    },
    chain: (list, { n, sizeBytes, chunks }) => {
      addChain(list, n, sizeBytes, chunks);
    },
  },
  reduce: {
    binomial: (list, { n, sizeBytes }) => {
      addBinomial(list, n, sizeBytes, true);
    },
  },
  gather: {
    direct: (list, { n, sizeBytes }) => {
      addGather(list, n, sizeBytes);
    },
  },
  scatter: {
    direct: (list, { n, sizeBytes }) => {
      addScatter(list, n, sizeBytes);
    },
  },
  barrier: {
    dissemination: (list, { n }) => {
      addBarrier(list, n);
    },
  },
};

/** Algorithms that divide messages into chunks. */
export const CHUNKED: readonly CollectiveAlgorithm[] = ['ring', 'chain', 'double-tree'];
/** Algorithms that need a power of two as the number of ranks. */
export const OF_POWERS: readonly CollectiveAlgorithm[] = ['halving-doubling', 'recursive-doubling'];

export function defaultAlgorithm(kind: CollectiveKind): CollectiveAlgorithm {
  return Object.keys(ALGORITHMS_OF[kind])[0] as CollectiveAlgorithm;
}

/** Returns the messages of a collective. */
export function messagesOf(kind: CollectiveKind, algorithm: CollectiveAlgorithm, size: CollectiveSize): MessageList {
  const list = new MessageList();
  ALGORITHMS_OF[kind][algorithm]?.(list, size);
  return list;
}
