/** Types of the data from which a report's script draws the charts. The data is embedded in the page as JSON. */

import type { FlowPath } from '../../sim/flow-path/flow-path.js';
import type { Figure } from '../../sweep/figures/figure.js';

export interface PageData {
  readonly runs: readonly PageRun[];
  readonly figures: readonly Figure[];
  /**
   * The path of one flow per run, which the reader can save as JSON; null for a run without one. Absent if no run has
   * one.
   */
  readonly paths?: readonly (FlowPath | null)[];
}

export interface PageRun {
  readonly name: string;
  /** Whether its first flow starts later than at time 0. */
  readonly isShifted: boolean;
  /** Times of the samples, since the first flow's start. */
  readonly timesUs: readonly number[];
  readonly peakPort: string | null;
  readonly ports: readonly PagePort[];
  /** The first flows, as many as a chart can show. */
  readonly flows: readonly PageFlow[];
  readonly flowCount: number;
  /** Jain's index at each sample; null if fewer than two flows are running. */
  readonly fairness: readonly (number | null)[];
  /** Points of the cumulative distribution: completion time, share of flows done within it. */
  readonly completions: readonly (readonly [timeUs: number, share: number])[];
  /** Sizes and completion times, of as many flows as a chart can show. */
  readonly sizes: PageSizes;
  readonly pauses: readonly PagePause[];
}

export interface PageSizes {
  readonly sizeBytes: readonly number[];
  /** null if the flow is not done. */
  readonly completionUs: readonly (number | null)[];
}

export interface PagePort {
  readonly name: string;
  readonly queueBytes: readonly number[];
  readonly utilization: readonly number[];
  /** Marking thresholds, if the port marks. */
  readonly kminBytes?: number;
  readonly kmaxBytes?: number;
  /** Lowest pause threshold of one ingress port of this switch: the one that came nearest to a pause, in any class. */
  readonly pauseBytes?: number;
  /** Name of that ingress port. */
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
