/**
 * The algorithms of each collective; the first is its default.
 *
 *   rings                 in step k, rank r sends part r - k to its neighbour, after it has received the message of the
 *                         previous step: n - 1 steps of reduce-scatter, n - 1 of all-gather (P. Patarasuk and X. Yuan,
 *                         JPDC 2009)
 *   halving and doubling  for powers of two: ranks exchange halves of the remaining data with partners at halving
 *                         distances, and then back; recursive doubling exchanges all data each time (R. Thakur, R.
 *                         Rabenseifner, W. Gropp, IJHPCA 2005)
 *   dissemination         the barrier of D. Hensgen, R. Finkel and U. Manber, 1988
 */
import { MessageList, partBytes } from './message-list.js';
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

/** Each rank sends to all others at once, its neighbour first. */
export function addDirect(list: MessageList, n: number, sizeBytes: number,
  isLocal: (from: number, to: number) => boolean = () => false): void {
  const bytes = Math.floor(sizeBytes / n);
  for (let from = 0; from < n; from++) {
    for (let distance = 1; distance < n; distance++) {
      const to = (from + distance) % n;
      list.add({ step: 0, from, to, bytes, isLocal: isLocal(from, to) });
    }
  }
}

/** In step k, each rank sends to the rank k further on, after it has received the message of the previous step. */
function addPairwise(list: MessageList, n: number, sizeBytes: number): void {
  const bytes = Math.floor(sizeBytes / n);
  let received: number[][] = Array.from({ length: n }, () => []);
  for (let distance = 1; distance < n; distance++) {
    const sent = received.map((before, from) =>
      list.add({ step: distance - 1, from, to: (from + distance) % n, bytes }, before)
    );
    received = sent.map((_, rank) => [sent[(rank - distance + n) % n]]);
  }
}

/** Each rank sends one byte to the ranks 1, 2, 4, … further on, round by round. */
function addBarrier(list: MessageList, n: number): void {
  let received: number[][] = Array.from({ length: n }, () => []);
  for (let round = 0; 2 ** round < n; round++) {
    const sent = received.map((before, from) =>
      list.add({ step: round, from, to: (from + 2 ** round) % n, bytes: 1 }, before)
    );
    received = sent.map((_, rank) => [sent[(((rank - 2 ** round) % n) + n) % n]]);
  }
}

/** All other ranks send their parts to rank 0. */
function addGather(list: MessageList, n: number, sizeBytes: number): void {
  for (let from = 1; from < n; from++) list.add({ step: 0, from, to: 0, bytes: partBytes(sizeBytes, n, from) });
}

/** Rank 0 sends the parts to all others. */
function addScatter(list: MessageList, n: number, sizeBytes: number): void {
  for (let to = 1; to < n; to++) list.add({ step: 0, from: 0, to, bytes: partBytes(sizeBytes, n, to) });
}

/** Adds the exchanges of all ranks in one step; returns the message received by each rank. */
function exchange(list: MessageList, step: number, before: readonly (readonly number[])[],
  partnerOf: (rank: number) => number, bytes: number, stream: number): number[][] {
  const sent = before.map((after, from) => list.add({ step, from, to: partnerOf(from), bytes, stream }, after));
  return before.map((_, rank) => [sent[partnerOf(rank)]]);
}

function levels(n: number): number {
  return Math.round(Math.log2(n));
}

function addHalving(list: MessageList, n: number, sizeBytes: number): number[][] {
  let received: number[][] = Array.from({ length: n }, () => []);
  for (let step = 0; step < levels(n); step++) {
    const distance = n / 2 ** (step + 1);
    received = exchange(list, step, received, (rank) => rank ^ distance, Math.floor(sizeBytes / 2 ** (step + 1)), 0);
  }
  return received;
}

function addDoubling(list: MessageList, n: number, sizeBytes: number, firstStep = 0,
  before: readonly (readonly number[])[] = Array.from({ length: n }, () => [])): void {
  let received = before;
  for (let step = 0; step < levels(n); step++) {
    const bytes = Math.floor((sizeBytes * 2 ** step) / n);
    received = exchange(list, firstStep + step, received, (rank) => rank ^ (2 ** step), bytes, 1);
  }
}

function addHalvingDoubling(list: MessageList, n: number, sizeBytes: number): void {
  addDoubling(list, n, sizeBytes, levels(n), addHalving(list, n, sizeBytes));
}

function addRecursiveDoubling(list: MessageList, n: number, sizeBytes: number): void {
  let received: number[][] = Array.from({ length: n }, () => []);
  for (let step = 0; step < levels(n); step++) {
    received = exchange(list, step, received, (rank) => rank ^ (2 ** step), sizeBytes, 0);
  }
}

/**
 * Collectives over servers of g ranks each; messages within a server do not enter the network. All-reduce:
 * reduce-scatter in each server, all-reduce of each part between servers, all-gather in each server.
 */
function addHierarchicalAllReduce(list: MessageList, n: number, sizeBytes: number, perServer: number): void {
  const servers = n / perServer;
  const inServer = (server: number): number[] => Array.from({ length: perServer }, (_, i) => server * perServer + i);
  const received: number[][] = Array.from({ length: n }, () => []);
  const keep = (ranks: readonly number[], last: readonly number[][]): void => {
    ranks.forEach((rank, place) => {
      received[rank] = last[place];
    });
  };
  const within = (firstStep: number, stream: number): void => {
    for (let server = 0; server < servers; server++) {
      const ranks = inServer(server);
      const before = ranks.map((rank) => received[rank]);
      keep(ranks, addRing(list, { ranks, sizeBytes, steps: perServer - 1, isLocal: true, firstStep, stream, before }));
    }
  };
  within(0, 0);
  for (let place = 0; place < perServer; place++) {
    const ranks = Array.from({ length: servers }, (_, server) => server * perServer + place);
    const before = ranks.map((rank) => received[rank]);
    const part = partBytes(sizeBytes, perServer, place);
    const firstStep = perServer - 1;
    keep(ranks, addRing(list, { ranks, sizeBytes: part, steps: 2 * (servers - 1), firstStep, before }));
  }
  within(perServer - 1 + 2 * (servers - 1), 1);
}

/** A ring over some ranks. */
export interface RingOptions {
  readonly ranks: readonly number[];
  readonly sizeBytes: number;
  readonly steps: number;
  /** 1 sends to the next rank, -1 to the previous one. */
  readonly direction?: 1 | -1;
  readonly stream?: number;
  readonly isLocal?: boolean;
  readonly firstStep?: number;
  /** By position in the ring: messages that must have been received before the first step. */
  readonly before?: readonly (readonly number[])[];
}

/** Adds a ring; returns the last message received at each position, none if there are no steps. */
export function addRing(list: MessageList, options: RingOptions): number[][] {
  const { ranks, sizeBytes, steps, direction = 1, stream = 0, isLocal = false, firstStep = 0 } = options;
  const n = ranks.length;
  let received: (readonly number[])[] = [...(options.before ?? ranks.map(() => []))];
  for (let step = 0; step < steps; step++) {
    const sent = received.map((before, place) => {
      const part = (((place - direction * step) % n) + n) % n;
      const to = ranks[(place + direction + n) % n];
      const bytes = partBytes(sizeBytes, n, part);
      return list.add({ step: firstStep + step, from: ranks[place], to, bytes, stream, isLocal }, before);
    });
    received = sent.map((_, place) => [sent[(place - direction + n) % n]]);
  }
  return received.map((messages) => [...messages]);
}

/** Adds two rings with half of the bytes in each direction. */
function addTwoRings(list: MessageList, ranks: readonly number[], sizeBytes: number, steps: number): void {
  const half = Math.floor(sizeBytes / 2);
  addRing(list, { ranks, sizeBytes: half, steps });
  addRing(list, { ranks, sizeBytes: sizeBytes - half, steps, direction: -1, stream: 1 });
}

/** Adds a pipelined ring: several rings, each with a part of the bytes, share the ports round-robin. */
function addChunkedRing(list: MessageList, ranks: readonly number[], sizeBytes: number, steps: number,
  chunks: number): void {
  for (let chunk = 0; chunk < chunks; chunk++) {
    addRing(list, { ranks, sizeBytes: partBytes(sizeBytes, chunks, chunk), steps, stream: chunk });
  }
}
