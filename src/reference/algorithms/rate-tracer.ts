/** The interface through which a model explains its rate changes, with the numbers of a trace record. */

/** Receives the steps of one QP; absent without a trace. */
export interface RateTracer {
  /** Sets the rate that the next change is compared with: at the beginning, and after a state was restored. */
  start(rateBps: number): void;
  /**
   * States the reason of the current step; the last description before `changed` counts.
   *
   * @param reason TRACE_* of src/abi/trace-layout.ts.
   * @param inputs input values in the order of the record; missing ones are 0.
   * @param detail TRACE_DETAIL_* bits.
   * @param hop position of a hop on the path.
   */
  describe(reason: number, inputs: readonly number[], detail?: number, hop?: number): void;
  /** A step may have changed the rate. `cause`: CAUSE_*, or 'notification' for the one being handled. */
  changed(timePs: number, cause: number | 'notification', rateBps: number): void;
}
