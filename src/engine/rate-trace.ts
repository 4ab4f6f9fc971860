/**
 * The rate changes of the last call, read in place. They stay valid until the next call that applies anything.
 *
 * Bounded: if a call changes rates more often than the ring holds, the first changes are kept, and `lost` counts the
 * others.
 */
import { REGION_TRACE, TRACE_BYTES } from '../abi/trace-layout.js';
import { noSuch, unsupportedTrace } from './engine-errors.js';
import { regionAddress, type MemoryViews } from './memory-views.js';
import type { RateChangeReader } from './rate-change-reader.js';
import type { RateChange } from './rate-changes.js';

/** The explained rate changes of the engine's last call, in order: `engine.trace`. */
export class RateTrace implements Iterable<RateChange> {
  readonly #views: MemoryViews;
  readonly #reader: RateChangeReader | undefined;
  readonly #first: number;
  #length = 0;
  #lost = 0;

  /** @internal Use `engine.trace`. @param reader undefined in an engine without a trace. */
  constructor(views: MemoryViews, reader?: RateChangeReader) {
    this.#views = views;
    this.#reader = reader;
    this.#first = regionAddress(views, REGION_TRACE);
  }

  /** Number of changes; 0 in an engine without a trace. */
  get length(): number {
    this.#views.use();
    return this.#length;
  }

  /** Number of later changes of the last call that did not fit. */
  get lost(): number {
    this.#views.use();
    return this.#lost;
  }

  /** @internal Called by the engine after each call. */
  setLength(length: number, lost: number): void {
    this.#length = length;
    this.#lost = lost;
  }

  /** Returns one change as an object; `index` from 0 to `length` - 1. */
  get(index: number): RateChange {
    this.#views.use();
    if (!this.#reader) throw unsupportedTrace();
    if (!(Number.isInteger(index) && index >= 0 && index < this.#length))
      throw noSuch('rate change', index, this.#length);
    return this.#reader.read(this.#first + index * TRACE_BYTES);
  }

  /** Iterates over all changes as objects, in the order in which they happened to each QP. */
  [Symbol.iterator](): Iterator<RateChange> {
    this.#views.use();
    return this.#all();
  }

  *#all(): Generator<RateChange, undefined> {
    for (let index = 0; index < this.length; index++) yield this.get(index);
  }
}
