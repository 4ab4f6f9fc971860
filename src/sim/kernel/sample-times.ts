/** Instants at which queues are looked at. Whole picoseconds. */
export interface SampleTimes {
  /** First instant. */
  readonly firstPs: number;
  /** From one to the next, at least 1. */
  readonly everyPs: number;
  /** No instant behind this. */
  readonly lastPs: number;
}
