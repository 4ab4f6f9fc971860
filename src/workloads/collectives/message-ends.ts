/** The two ends of messages, by rank. */
import type { MessageList } from './message-list.js';

/** Ends of messages by rank: twice the message number for the sender's end, plus one for the receiver's. */
export interface Ends {
  readonly first: Uint32Array;
  readonly of: Uint32Array;
  /** Index of each end among those of its rank. */
  readonly place: Uint32Array;
}

/** Both ends of a message within a server belong to the sender. */
export function rankOfEnd({ from, to, isLocal }: MessageList, end: number): number {
  const message = end >>> 1;
  return (end & 1) === 0 || isLocal[message] === 1 ? from[message] : to[message];
}

export function endsByRank(list: MessageList, ranks: number): Ends {
  const count = 2 * list.length;
  const first = new Uint32Array(ranks + 1);
  for (let end = 0; end < count; end++) first[rankOfEnd(list, end) + 1]++;
  for (let rank = 0; rank < ranks; rank++) first[rank + 1] += first[rank];
  const next = first.slice();
  const of = new Uint32Array(count);
  const place = new Uint32Array(count);
  for (let end = 0; end < count; end++) {
    const rank = rankOfEnd(list, end);
    place[end] = next[rank] - first[rank];
    of[next[rank]++] = end;
  }
  return { first, of, place };
}
