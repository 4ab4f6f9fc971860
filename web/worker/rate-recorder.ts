/** Changes of one flow's rate, out of the trace of sim-trace.wasm. */
import { regionAddress, viewMemory } from '../../src/engine/memory-views.js';
import { REGION_TRACE, TRACE_BYTES, TRACE_QP } from '../../src/abi/trace-layout.js';
import type { SimAbi } from '../../src/sim/kernel/sim-abi.js';

/** Changes that the trace holds between two slices, of all flows: 6 MiB. */
export const TRACE_ROOM = 65_536;
/** Changes of the flow that are kept, 1.9 MB: more steps than anybody walks through. */
const KEPT_MAX = 20_000;

export class RateRecorder {
  readonly #abi: SimAbi;
  readonly #flow: number;
  readonly #kept: Uint8Array[] = [];
  #leftOut = 0;
  #lost = 0;

  constructor(abi: SimAbi, flow: number) {
    this.#abi = abi;
    this.#flow = flow;
  }

  /** Takes what the trace holds, and empties it. */
  drain(): void {
    const count = this.#abi.traceWritten?.() ?? 0;
    this.#lost += this.#abi.traceLost?.() ?? 0;
    // The memory may have grown since, which leaves older views empty.
    const views = viewMemory(this.#abi);
    const first = regionAddress(views, REGION_TRACE);
    for (let at = first; at < first + count * TRACE_BYTES; at += TRACE_BYTES) {
      if (views.u32[(at + TRACE_QP) >>> 2] !== this.#flow) continue;
      if (this.#kept.length < KEPT_MAX) this.#kept.push(views.u8.slice(at, at + TRACE_BYTES));
      else this.#leftOut++;
    }
    this.#abi.clearRateChanges?.();
  }

  /** Records of src/abi/trace-layout.ts, one behind the other. */
  records(): Uint8Array {
    const all = new Uint8Array(this.#kept.length * TRACE_BYTES);
    this.#kept.forEach((record, index) => {
      all.set(record, index * TRACE_BYTES);
    });
    return all;
  }

  /** Later changes of the flow that are not kept. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Changes, of any flow, for which the trace had no room. */
  get lost(): number {
    return this.#lost;
  }
}
