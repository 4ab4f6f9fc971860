/** The ring of trace records of the `js` backend. Its size is limited; dropped records are counted. */
import { CAUSE_CNP } from '../abi/codes.js';
import * as trace from '../abi/trace-layout.js';
import type { RateTracer } from './algorithms/ack.js';
import type { BackendMemory } from './backend-memory.js';

/** Reason of a rate change, as the algorithm described it. */
interface Description {
  readonly reason: number;
  readonly inputs: readonly number[];
  readonly detail: number;
  readonly hop: number;
}

const NOT_DESCRIBED: Description = { reason: trace.TRACE_OTHER, inputs: [], detail: 0, hop: trace.TRACE_NO_HOP };
const INPUTS = trace.TRACE_INPUT_BYTES / 8;

export class TraceRing {
  /** CAUSE_* of the notification being handled. */
  notifiedBy = CAUSE_CNP;
  readonly #memory: BackendMemory;
  readonly #capacity: number;
  #written = 0;
  #lost = 0;

  constructor(memory: BackendMemory) {
    this.#memory = memory;
    this.#capacity = memory.sizes.traceRecords;
  }

  get written(): number {
    return this.#written;
  }

  get lost(): number {
    return this.#lost;
  }

  /** Whether half of the ring is free, or nothing is traced. */
  get hasRoom(): boolean {
    return this.#capacity === 0 || this.#written < (this.#capacity + 1) >> 1;
  }

  clear(): void {
    this.#written = 0;
    this.#lost = 0;
  }

  /** The tracer of a QP; undefined if nothing is traced. */
  tracerOf(qp: number): RateTracer | undefined {
    if (this.#capacity === 0) return undefined;
    let fromBps = 0;
    let why = NOT_DESCRIBED;
    return {
      start: (rateBps) => {
        fromBps = rateBps;
      },
      describe: (reason, inputs, detail = 0, hop = trace.TRACE_NO_HOP) => {
        why = { reason, inputs, detail, hop };
      },
      changed: (timePs, cause, rateBps) => {
        const known = cause === 'notification' ? this.notifiedBy : cause;
        if (rateBps !== fromBps) this.#write([timePs, fromBps, rateBps], [qp, known], why);
        fromBps = rateBps;
        why = NOT_DESCRIBED;
      },
    };
  }

  #write(numbers: readonly [timePs: number, fromBps: number, toBps: number], ids: readonly [qp: number, cause: number],
    why: Description): void {
    if (this.#written === this.#capacity) {
      this.#lost += 1;
      this.#memory.count(trace.COUNTER_TRACE_LOST, 1);
      return;
    }
    const { view } = this.#memory;
    const at = this.#memory.at(trace.REGION_TRACE, this.#written, trace.TRACE_BYTES);
    view.setFloat64(at + trace.TRACE_TIME, numbers[0], true);
    view.setUint32(at + trace.TRACE_QP, ids[0], true);
    view.setUint8(at + trace.TRACE_REASON, why.reason);
    view.setUint8(at + trace.TRACE_CAUSE, ids[1]);
    view.setUint8(at + trace.TRACE_DETAIL, why.detail);
    view.setUint8(at + trace.TRACE_HOP, why.hop);
    view.setFloat64(at + trace.TRACE_FROM, numbers[1], true);
    view.setFloat64(at + trace.TRACE_TO, numbers[2], true);
    for (let i = 0; i < INPUTS; i += 1) view.setFloat64(at + trace.TRACE_INPUTS + i * 8, why.inputs[i] ?? 0, true);
    this.#written += 1;
  }
}
