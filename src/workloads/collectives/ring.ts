/**
 * Rings (P. Patarasuk and X. Yuan, JPDC 2009). In step k, rank r sends part r - k to its neighbour, after it has
 * received the message of the previous step: n - 1 steps of reduce-scatter, n - 1 of all-gather.
 */
import { partBytes, type MessageList } from './message-list.js';

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
export function addTwoRings(list: MessageList, ranks: readonly number[], sizeBytes: number, steps: number): void {
  const half = Math.floor(sizeBytes / 2);
  addRing(list, { ranks, sizeBytes: half, steps });
  addRing(list, { ranks, sizeBytes: sizeBytes - half, steps, direction: -1, stream: 1 });
}

/** Adds a pipelined ring: several rings, each with a part of the bytes, share the ports round-robin. */
export function addChunkedRing(list: MessageList, ranks: readonly number[], sizeBytes: number, steps: number,
  chunks: number): void {
  for (let chunk = 0; chunk < chunks; chunk++) {
    addRing(list, { ranks, sizeBytes: partBytes(sizeBytes, chunks, chunk), steps, stream: chunk });
  }
}
