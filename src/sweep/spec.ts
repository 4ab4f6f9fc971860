/** A sweep as users write it: plain data, a JSON file or an object in code. docs/guides/sweeps.md explains each key. */

/** A sweep: many runs of one scenario, each with different values at some paths. */
export interface SweepSpec {
  /** Name of the sweep. */
  readonly name: string;
  /** Description for readers. */
  readonly description?: string;
  /**
   * The base scenario of all runs, inline; for the command line also a file name, or the name of a shipped scenario.
   */
  readonly base: unknown;
  /** Changes to the base scenario for all runs: values by path. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** The differences between runs. All combinations of the axes' values are run, the last axis varying fastest. */
  readonly axes?: readonly AxisSpec[];
  /** Seeds with which each point is run; a number n means 1 to n. Default: the scenario's own. */
  readonly seeds?: number | readonly number[];
  /** Metrics in the rows: names of METRIC_NAMES. Default: a dozen. */
  readonly metrics?: readonly string[];
  /** Upper ends of the size buckets of flows, bytes, or a distribution whose deciles are used. */
  readonly sizeBuckets?: 'WebSearch' | 'FB_Hadoop' | readonly number[];
  /** Figures of `--report` and `--figures`. Default: derived from the axes. */
  readonly figures?: readonly FigureSpec[];
  /** Maximum number of runs; a larger sweep is rejected. Default 10,000. */
  readonly runsMax?: number;
}

/** An axis of a sweep. */
export type AxisSpec = ListAxis | RangeAxis | CasesAxis | ZipAxis | SampleAxis;

/** The values of a list, in order. */
export interface ListAxis {
  /** Path of the values in the scenario. */
  readonly path: string;
  /** Its column. Default: the path. */
  readonly name?: string;
  /** The values, in order. */
  readonly values: readonly unknown[];
}

/** Values from one number to another, both included. */
export interface RangeAxis {
  /** Path of the values in the scenario. */
  readonly path: string;
  /** Its column. Default: the path. */
  readonly name?: string;
  /** First value. */
  readonly from: number;
  /** Last value. */
  readonly to: number;
  /** Number of values; absent for sampled ranges. */
  readonly count?: number;
  /** Equal steps, or equal ratios between values. Default linear. */
  readonly scale?: 'linear' | 'log';
  /** Whether values are rounded to whole numbers. Default false. */
  readonly whole?: boolean;
}

/** Named cases, each of which sets several values. */
export interface CasesAxis {
  /** Name of its column, which contains the names of the cases. */
  readonly name: string;
  /** The cases: by name, values by path. */
  readonly cases: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Axes of equal length whose values change together. */
export interface ZipAxis {
  /** The axes that change together. */
  readonly zip: readonly (ListAxis | RangeAxis | CasesAxis)[];
}

/** Random points. */
export interface SampleAxis {
  /** Points drawn independently, or distributed so that each range is covered evenly. */
  readonly sample: 'random' | 'latin-hypercube';
  /** Number of points. */
  readonly count: number;
  /** Seed of the points. Default 1. */
  readonly seed?: number;
  /** Ranges to draw from; from lists and cases, one entry is drawn. */
  readonly ranges: readonly (ListAxis | RangeAxis | CasesAxis)[];
}

/** A figure. It has a panel for each combination of values of the axes that it does not name, up to twelve. */
export type FigureSpec = SizeFigureSpec | CdfFigureSpec | LineFigureSpec | HeatFigureSpec | ParetoFigureSpec;

/** Slowdown by flow size, as in figures 10 and 11 of the HPCC paper. */
export interface SizeFigureSpec {
  /** Kind of the figure. */
  readonly kind: 'size-buckets';
  /** Title of each panel. Default: its content. */
  readonly title?: string;
  /** Axis whose values have a line each. */
  readonly series?: string;
  /** The percentile. Default: a figure for each of the three. */
  readonly percentile?: 50 | 95 | 99;
}

/** Cumulative distribution over flows, of slowdown or completion time. */
export interface CdfFigureSpec {
  /** Kind of the figure. */
  readonly kind: 'cdf';
  /** Title of each panel. Default: its content. */
  readonly title?: string;
  /** Axis whose values have a line each. */
  readonly series?: string;
  /** Quantity. Default: slowdown. */
  readonly of?: 'slowdown' | 'completion';
}

/** A metric over an axis. */
export interface LineFigureSpec {
  /** Kind of the figure. */
  readonly kind: 'lines';
  /** Title of each panel. Default: its content. */
  readonly title?: string;
  /** Horizontal axis. */
  readonly x: string;
  /** Metric of the vertical axis. */
  readonly metric: string;
  /** Axis whose values have a line each. */
  readonly series?: string;
}

/** A metric at each pair of values of two axes. */
export interface HeatFigureSpec {
  /** Kind of the figure. */
  readonly kind: 'heat-map';
  /** Title of each panel. Default: its content. */
  readonly title?: string;
  /** Horizontal axis. */
  readonly x: string;
  /** Vertical axis. */
  readonly y: string;
  /** Metric shown by colour. */
  readonly metric: string;
}

/** Two metrics of each point, and the Pareto front: points that no other one beats in both. Less is better. */
export interface ParetoFigureSpec {
  /** Kind of the figure. */
  readonly kind: 'pareto';
  /** Title of each panel. Default: its content. */
  readonly title?: string;
  /** Metric of the horizontal axis. */
  readonly x: string;
  /** Metric of the vertical axis. */
  readonly y: string;
  /** Axis with a colour for each value. */
  readonly series?: string;
}
