/**
 * Messages of all-to-all (direct and pairwise), gather and scatter, and the dissemination barrier (D. Hensgen, R.
 * Finkel, U. Manber, 1988).
 */
import { partBytes, type MessageList } from './message-list.js';

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
export function addPairwise(list: MessageList, n: number, sizeBytes: number): void {
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
export function addBarrier(list: MessageList, n: number): void {
  let received: number[][] = Array.from({ length: n }, () => []);
  for (let round = 0; 2 ** round < n; round++) {
    const sent = received.map((before, from) =>
      list.add({ step: round, from, to: (from + 2 ** round) % n, bytes: 1 }, before)
    );
    received = sent.map((_, rank) => [sent[(((rank - 2 ** round) % n) + n) % n]]);
  }
}

/** All other ranks send their parts to rank 0. */
export function addGather(list: MessageList, n: number, sizeBytes: number): void {
  for (let from = 1; from < n; from++) list.add({ step: 0, from, to: 0, bytes: partBytes(sizeBytes, n, from) });
}

/** Rank 0 sends the parts to all others. */
export function addScatter(list: MessageList, n: number, sizeBytes: number): void {
  for (let to = 1; to < n; to++) list.add({ step: 0, from: 0, to, bytes: partBytes(sizeBytes, n, to) });
}
