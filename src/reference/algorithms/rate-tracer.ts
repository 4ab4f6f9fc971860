/** Explains a model's rate changes where they are decided, with the numbers of a trace record. */

/** Hears of the steps of one QP; absent where nothing is traced. */
export interface RateTracer {
  /** The rate that the next change is seen from: at the beginning, and after a state was taken over. */
  start(rateBps: number): void;
  /**
   * Why the step that is being made goes where it goes; the last description before `changed` counts.
   *
   * @param reason TRACE_* of src/abi/trace-layout.ts.
   * @param inputs in the order of the record; what is missing is 0.
   * @param detail TRACE_DETAIL_* bits.
   * @param hop place of a hop on the path.
   */
  describe(reason: number, inputs: readonly number[], detail?: number, hop?: number): void;
  /** A step was made, which may have changed the rate. `cause`: CAUSE_*, or 'notification': the one that is running. */
  changed(timePs: number, cause: number | 'notification', rateBps: number): void;
}
