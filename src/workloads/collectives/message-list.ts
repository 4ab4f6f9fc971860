/**
 * The messages of a collective: sender, receiver, size, and the messages that the sender must have received before.
 * Stored in columns, because a ring of a thousand ranks has two million.
 */
const FIRST_CAPACITY = 64;

/** A message as added by an algorithm. */
export interface NewMessage {
  readonly step: number;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  /** Messages with the same pair of ranks and the same stream start in order. */
  readonly stream?: number;
  /** Whether it stays within a server and does not enter the network. */
  readonly isLocal?: boolean;
  /** Id, returned by `add`, of a message from the same sender that must have been sent before. */
  readonly afterSent?: number;
}

/** Messages by index. */
export class MessageList {
  step: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  from: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  to: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  bytes: Float64Array = new Float64Array(FIRST_CAPACITY);
  stream: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  isLocal: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  /** Index of the message that the sender must have sent before, plus 1; 0 if there is none. */
  afterSent: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  #firstAfter = new Uint32Array(FIRST_CAPACITY + 1);
  #after = new Uint32Array(FIRST_CAPACITY);
  #count = 0;
  /** Dependencies passed on by messages of no bytes; id -1 - index. */
  readonly #passed: (readonly number[])[] = [];

  /** Number of messages. */
  get length(): number {
    return this.#count;
  }

  /**
   * @param after ids, returned by `add`, of messages that must have been received before.
   * @returns the message's id, for `after` of others. A message of no bytes is not sent: what depends on it depends on
   * its dependencies instead.
   */
  add(message: NewMessage, after: readonly number[] = []): number {
    const real = after.flatMap((one) => (one >= 0 ? [one] : this.#passed[-1 - one]));
    if (message.bytes === 0) return -this.#passed.push(real);
    if (this.#count === this.step.length) this.#grow();
    const index = this.#count++;
    this.step[index] = message.step;
    this.from[index] = message.from;
    this.to[index] = message.to;
    this.bytes[index] = message.bytes;
    this.stream[index] = message.stream ?? 0;
    this.isLocal[index] = Number(message.isLocal === true);
    this.afterSent[index] = Math.max(0, (message.afterSent ?? -1) + 1);
    this.#addAfter(index, real);
    return index;
  }

  /** Messages that the sender of this one must have received before. */
  afterOf(message: number): Uint32Array {
    return this.#after.subarray(this.#firstAfter[message], this.#firstAfter[message + 1]);
  }

  #addAfter(index: number, after: readonly number[]): void {
    const first = this.#firstAfter[index];
    while (first + after.length > this.#after.length) this.#after = longer(this.#after, this.#after.length * 2);
    this.#after.set(after, first);
    this.#firstAfter[index + 1] = first + after.length;
  }

  #grow(): void {
    const length = this.#count * 2;
    this.step = longer(this.step, length);
    this.from = longer(this.from, length);
    this.to = longer(this.to, length);
    this.bytes = longer(this.bytes, length);
    this.stream = longer(this.stream, length);
    this.isLocal = longer(this.isLocal, length);
    this.afterSent = longer(this.afterSent, length);
    this.#firstAfter = longer(this.#firstAfter, length + 1);
  }
}

function longer<Column extends Uint8Array | Uint32Array | Float64Array>(column: Column, length: number): Column {
  const Type = column.constructor as new(length: number) => Column;
  const made = new Type(length);
  made.set(column);
  return made;
}

/** Size of part i of n: parts add up to the total, and differ by at most one byte. */
export function partBytes(sizeBytes: number, n: number, i: number): number {
  return Math.floor((sizeBytes * (i + 1)) / n) - Math.floor((sizeBytes * i) / n);
}

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
