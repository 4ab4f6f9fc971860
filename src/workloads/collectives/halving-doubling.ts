/**
 * Recursive halving and doubling (R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 2005), for powers of two: ranks exchange
 * halves of the remaining data with partners at halving distances, and then back. Recursive doubling exchanges all data
 * each time.
 */
import type { MessageList } from './message-list.js';

/** Adds the exchanges of all ranks in one step; returns the message received by each rank. */
function exchange(list: MessageList, step: number, before: readonly (readonly number[])[],
  partnerOf: (rank: number) => number, bytes: number, stream: number): number[][] {
  const sent = before.map((after, from) => list.add({ step, from, to: partnerOf(from), bytes, stream }, after));
  return before.map((_, rank) => [sent[partnerOf(rank)]]);
}

function levels(n: number): number {
  return Math.round(Math.log2(n));
}

export function addHalving(list: MessageList, n: number, sizeBytes: number): number[][] {
  let received: number[][] = Array.from({ length: n }, () => []);
  for (let step = 0; step < levels(n); step++) {
    const distance = n / 2 ** (step + 1);
    received = exchange(list, step, received, (rank) => rank ^ distance, Math.floor(sizeBytes / 2 ** (step + 1)), 0);
  }
  return received;
}

export function addDoubling(list: MessageList, n: number, sizeBytes: number, firstStep = 0,
  before: readonly (readonly number[])[] = Array.from({ length: n }, () => [])): void {
  let received = before;
  for (let step = 0; step < levels(n); step++) {
    const bytes = Math.floor((sizeBytes * 2 ** step) / n);
    received = exchange(list, firstStep + step, received, (rank) => rank ^ (2 ** step), bytes, 1);
  }
}

export function addHalvingDoubling(list: MessageList, n: number, sizeBytes: number): void {
  addDoubling(list, n, sizeBytes, levels(n), addHalving(list, n, sizeBytes));
}

export function addRecursiveDoubling(list: MessageList, n: number, sizeBytes: number): void {
  let received: number[][] = Array.from({ length: n }, () => []);
  for (let step = 0; step < levels(n); step++) {
    received = exchange(list, step, received, (rank) => rank ^ (2 ** step), sizeBytes, 0);
  }
}
