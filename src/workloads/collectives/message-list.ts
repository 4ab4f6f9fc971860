/**
 * The messages of a collective: sender, receiver and size, and which messages its sender must have received before. In
 * columns, as a ring of a thousand ranks has two million.
 */
const FIRST_CAPACITY = 64;

/** One message as algorithms state it. */
export interface NewMessage {
  readonly step: number;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  /** Messages of one pair and stream begin in their order. */
  readonly stream?: number;
  /** Within a server: it doesn't enter the network. */
  readonly isLocal?: boolean;
  /** What `add` returned for a message of the same sender that must have been sent before. */
  readonly afterSent?: number;
}

/** Messages by number. */
export class MessageList {
  step: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  from: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  to: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  bytes: Float64Array = new Float64Array(FIRST_CAPACITY);
  stream: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  isLocal: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  /** Message that the sender must have sent before, and 1; 0: none. */
  afterSent: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  #firstAfter = new Uint32Array(FIRST_CAPACITY + 1);
  #after = new Uint32Array(FIRST_CAPACITY);
  #count = 0;
  /** Dependencies that messages of no bytes pass on: -1 - its place. */
  readonly #passed: (readonly number[])[] = [];

  /** Number of messages. */
  get length(): number {
    return this.#count;
  }

  /**
   * @param after what `add` returned for messages that must have been received before.
   * @returns the message's id for `after` of others. One of no bytes is not sent: what waits for it waits for what it
   * would have waited for.
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

  /** Messages that the sender of this one must have received. */
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

/** Part i of n: they add up, and differ by one at most. */
export function partBytes(sizeBytes: number, n: number, i: number): number {
  return Math.floor((sizeBytes * (i + 1)) / n) - Math.floor((sizeBytes * i) / n);
}
