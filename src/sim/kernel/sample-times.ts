/** Instants at which queues are sampled. Whole picoseconds. */
export interface SampleTimes {
  /** First instant. */
  readonly firstPs: number;
  /** Interval, at least 1. */
  readonly everyPs: number;
  /** No sample after this instant. */
  readonly lastPs: number;
}
