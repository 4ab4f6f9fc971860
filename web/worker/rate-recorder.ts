/** Collects one flow's rate changes from the trace of sim-trace.wasm. */
import { TRACE_BYTES, TRACE_QP } from '../../src/abi/trace-layout.js';
import type { SimAbi } from '../../src/sim/kernel/sim-abi.js';
import { takeRateRecords } from '../../src/sim/trace-rates.js';

/** Maximum changes kept, 1.9 MB: more than anybody steps through. */
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

  /** Reads the trace and empties it. */
  drain(): void {
    this.#lost += takeRateRecords(this.#abi, ({ u8, u32 }, at) => {
      if (u32[(at + TRACE_QP) >>> 2] !== this.#flow) return;
      if (this.#kept.length < KEPT_MAX) this.#kept.push(u8.slice(at, at + TRACE_BYTES));
      else this.#leftOut++;
    });
  }

  /** Records of src/abi/trace-layout.ts, concatenated. */
  records(): Uint8Array {
    const all = new Uint8Array(this.#kept.length * TRACE_BYTES);
    this.#kept.forEach((record, index) => {
      all.set(record, index * TRACE_BYTES);
    });
    return all;
  }

  /** Number of later changes of the flow, which are not kept. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Number of changes, of any flow, for which the trace had no space. */
  get lost(): number {
    return this.#lost;
  }
}
