/** All-to-all, direct and pairwise; gather and scatter; the barrier by dissemination (D. Hensgen, R. Finkel, U. Manber, 1988). */
import { partBytes, type MessageList } from './message-list.js';

/** Everyone sends to all others at once, first to its neighbour. */
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

/** In step k to the rank k further on, when what came in the step before is there. */
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

/** One byte to ranks 1, 2, 4, … further on, round by round. */
export function addBarrier(list: MessageList, n: number): void {
  let received: number[][] = Array.from({ length: n }, () => []);
  for (let round = 0; 2 ** round < n; round++) {
    const sent = received.map((before, from) =>
      list.add({ step: round, from, to: (from + 2 ** round) % n, bytes: 1 }, before)
    );
    received = sent.map((_, rank) => [sent[(((rank - 2 ** round) % n) + n) % n]]);
  }
}

/** Parts of all others to rank 0. */
export function addGather(list: MessageList, n: number, sizeBytes: number): void {
  for (let from = 1; from < n; from++) list.add({ step: 0, from, to: 0, bytes: partBytes(sizeBytes, n, from) });
}

/** Parts from rank 0 to all others. */
export function addScatter(list: MessageList, n: number, sizeBytes: number): void {
  for (let to = 1; to < n; to++) list.add({ step: 0, from: 0, to, bytes: partBytes(sizeBytes, n, to) });
}
