/** What the charts of a report are drawn from: put into the page as JSON, read by its script. Types only. */

import type { FlowPath } from '../../sim/flow-path/flow-path.js';
import type { Figure } from '../../sweep/figures/figure.js';

export interface PageData {
  readonly runs: readonly PageRun[];
  readonly figures: readonly Figure[];
  /** Of each run the path of a flow, to be saved as JSON; null: none. Left out: of no run. */
  readonly paths?: readonly (FlowPath | null)[];
}

export interface PageRun {
  readonly name: string;
  /** Does its first flow start later than at 0? */
  readonly isShifted: boolean;
  /** Times of the samples, since the first flow's start. */
  readonly timesUs: readonly number[];
  readonly peakPort: string | null;
  readonly ports: readonly PagePort[];
  /** Of all, as many as a chart can show. */
  readonly flows: readonly PageFlow[];
  readonly flowCount: number;
  /** Jain's index at each sample; null where no two flows are running. */
  readonly fairness: readonly (number | null)[];
  /** Points of the cumulative distribution: time, share of the flows done by then. */
  readonly completions: readonly (readonly [timeUs: number, share: number])[];
  /** Of flows, as many as a chart can show. */
  readonly sizes: PageSizes;
  readonly pauses: readonly PagePause[];
}

export interface PageSizes {
  readonly sizeBytes: readonly number[];
  /** null: not done. */
  readonly completionUs: readonly (number | null)[];
}

export interface PagePort {
  readonly name: string;
  readonly queueBytes: readonly number[];
  readonly utilization: readonly number[];
  /** Thresholds of marking, where the port marks. */
  readonly kminBytes?: number;
  readonly kmaxBytes?: number;
  /** Lowest pause threshold of the input of the port's switch that came nearest to a pause, of one class. */
  readonly pauseBytes?: number;
  /** The name of that input. */
  readonly pauseInput?: string;
}

export interface PageFlow {
  readonly label: string;
  /** null while it isn't running. */
  readonly rateMbps: readonly (number | null)[];
}

export interface PagePause {
  readonly port: string;
  readonly pausedUs: number;
}
