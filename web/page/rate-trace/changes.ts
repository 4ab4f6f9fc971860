/** Reads a flow's rate changes one by one from the records that the worker sent. */
import { MemoryViews } from '../../../src/engine/memory-views.js';
import { RateChangeReader } from '../../../src/engine/rate-change-reader.js';
import type { RateChange } from '../../../src/engine/rate-changes.js';
import { TRACE_BYTES, TRACE_TIME } from '../../../src/abi/trace-layout.js';
import type { RateTrace } from '../../protocol/run-protocol.js';

export class RateChanges {
  readonly trace: RateTrace;
  readonly #views: MemoryViews;
  readonly #reader: RateChangeReader;

  constructor(trace: RateTrace) {
    this.trace = trace;
    this.#views = new MemoryViews(trace.records.buffer as ArrayBuffer);
    this.#reader = new RateChangeReader(this.#views, (_, reason) => trace.reasons[reason - 1]);
  }

  get length(): number {
    return this.trace.records.length / TRACE_BYTES;
  }

  at(index: number): RateChange {
    return this.#reader.read(index * TRACE_BYTES);
  }

  timePs(index: number): number {
    return this.#views.f64[(index * TRACE_BYTES + TRACE_TIME) >>> 3] ?? NaN;
  }

  /** Index of the change nearest to an instant; -1 if there are none. */
  nearest(timePs: number): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timePs(middle) < timePs) low = middle + 1;
      else high = middle;
    }
    if (low === this.length) return this.length - 1;
    return low > 0 && timePs - this.timePs(low - 1) < this.timePs(low) - timePs ? low - 1 : low;
  }
}
