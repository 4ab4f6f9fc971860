/** A sweep in its source form: plain data, a JSON file or an object in code. docs/guides/sweeps.md explains each key. */

/** Many runs of one scenario, each with different values at some paths. */
export interface SweepSpec {
  /** Name of the sweep. */
  readonly name: string;
  /** For readers. */
  readonly description?: string;
  /** The base scenario of all runs: itself, or for the command line the name of a file, or of a shipped one. */
  readonly base: unknown;
  /** Values that all runs have, by path. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** The differences between runs; each axis is combined with each other one, the last varying fastest. */
  readonly axes?: readonly AxisSpec[];
  /** Each point of the axes is run with each of these seeds; a number n means 1 to n. Default: the scenario's own. */
  readonly seeds?: number | readonly number[];
  /** Metrics in the rows: names of METRIC_NAMES. Default: a dozen. */
  readonly metrics?: readonly string[];
  /** Upper ends of the sizes by which flows are grouped, bytes, or a distribution whose deciles they are. */
  readonly sizeBuckets?: 'WebSearch' | 'FB_Hadoop' | readonly number[];
  /** Figures of the report and --figures. Default: derived from the axes. */
  readonly figures?: readonly FigureSpec[];
  /** Sweeps of more runs are rejected. Default 10,000. */
  readonly runsMax?: number;
}

/** One axis. */
export type AxisSpec = ListAxis | RangeAxis | CasesAxis | ZipAxis | SampleAxis;

/** The values of a list, in order. */
export interface ListAxis {
  /** Path of the values in the scenario. */
  readonly path: string;
  /** Its column. Default: the path. */
  readonly name?: string;
  /** The values. */
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
  /** Number of values; not for ranges that are sampled. */
  readonly count?: number;
  /** Steps of one length, or of one ratio. Default linear. */
  readonly scale?: 'linear' | 'log';
  /** Values are rounded to whole numbers. Default false. */
  readonly whole?: boolean;
}

/** Several values at once, under a name each. */
export interface CasesAxis {
  /** Its column, which holds the names of the cases. */
  readonly name: string;
  /** By name: values by path. */
  readonly cases: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Axes of equal length that change together. */
export interface ZipAxis {
  /** The axes. */
  readonly zip: readonly (ListAxis | RangeAxis | CasesAxis)[];
}

/** Points at random. */
export interface SampleAxis {
  /** Each point drawn independently, or spread so that each range is covered evenly. */
  readonly sample: 'random' | 'latin-hypercube';
  /** How many points. */
  readonly count: number;
  /** Seed of the points. Default 1. */
  readonly seed?: number;
  /** Within these ranges; from lists and cases one is drawn. */
  readonly ranges: readonly (ListAxis | RangeAxis | CasesAxis)[];
}

/** A figure; axes that it does not name give a panel for each of their values, up to twelve. */
export type FigureSpec = SizeFigureSpec | CdfFigureSpec | LineFigureSpec | HeatFigureSpec | ParetoFigureSpec;

/** Slowdown by flow size, as in figures 10 and 11 of the HPCC paper. */
export interface SizeFigureSpec {
  /** Which figure. */
  readonly kind: 'size-buckets';
  /** Title of each panel. Default: its content. */
  readonly title?: string;
  /** Axis whose values have a line each. */
  readonly series?: string;
  /** Default: a figure for each of the three. */
  readonly percentile?: 50 | 95 | 99;
}

/** Share of the flows up to each slowdown or completion time. */
export interface CdfFigureSpec {
  /** Which figure. */
  readonly kind: 'cdf';
  /** Title of each panel. Default: its content. */
  readonly title?: string;
  /** Axis whose values have a line each. */
  readonly series?: string;
  /** Default: slowdown. */
  readonly of?: 'slowdown' | 'completion';
}

/** A metric over an axis. */
export interface LineFigureSpec {
  /** Which figure. */
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
  /** Which figure. */
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

/** Two metrics of each point, and the points that no other one beats in both; less is better. */
export interface ParetoFigureSpec {
  /** Which figure. */
  readonly kind: 'pareto';
  /** Title of each panel. Default: its content. */
  readonly title?: string;
  /** Metric of the horizontal axis. */
  readonly x: string;
  /** Metric of the vertical axis. */
  readonly y: string;
  /** Axis whose values have a colour each. */
  readonly series?: string;
}
