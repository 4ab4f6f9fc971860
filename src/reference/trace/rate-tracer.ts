/** How the models of the `js` backend tell of rates that change: one explanation per step, made as engine.wasm makes it. */

/** Why a step changes a rate: the numbers of a trace record (src/abi/trace-layout.ts). */
export interface Explanation {
  /** TRACE_* */
  readonly reason: number;
  /** TRACE_DETAIL_* bits. */
  readonly detail?: number;
  /** Place of a hop on the path. */
  readonly hop?: number | undefined;
  /** In the record's order; what is missing is 0. */
  readonly inputs: readonly number[];
}

/** Told of each step of one QP that may have changed its rate. */
export interface RateTracer {
  /** `cause`: CAUSE_*, or 'notification': the one that is running. */
  changed(timePs: number, cause: number | 'notification', fromBps: number, toBps: number,
    explanation: Explanation | undefined): void;
}
