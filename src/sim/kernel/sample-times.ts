/** When queues are sampled. */
import { wholeIn } from '../../config/field-rules.js';

/** Instants at which queues are sampled. Whole picoseconds. */
export interface SampleTimes {
  /** First instant. */
  readonly firstPs: number;
  /** Interval, at least 1. */
  readonly everyPs: number;
  /** No sample after this instant. */
  readonly lastPs: number;
}

/** Ranges of the fields. */
export const SAMPLE_TIMES = {
  firstPs: wholeIn(0, Number.MAX_SAFE_INTEGER, 'ps'),
  everyPs: wholeIn(1, Number.MAX_SAFE_INTEGER, 'ps'),
  lastPs: wholeIn(0, Number.MAX_SAFE_INTEGER, 'ps'),
};
