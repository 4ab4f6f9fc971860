/** A sweep as it is written: plain data, a JSON file or an object in code. docs/sweeps.md explains each key. */

/** Many runs of one scenario, each with other values at some paths. */
export interface SweepSpec {
  /** Name of the sweep. */
  readonly name: string;
  /** For people. */
  readonly description?: string;
  /** The scenario that all runs start from: itself, or for the command line the name of a file, or of a shipped one. */
  readonly base: unknown;
  /** Values that all runs have, by path. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** What differs from run to run; each axis is combined with each other one, the last turning fastest. */
  readonly axes?: readonly AxisSpec[];
  /** Each point of the axes is run with each of these seeds; a number n stands for 1 to n. Default: the scenario's own. */
  readonly seeds?: number | readonly number[];
  /** What rows show of each run: names of METRIC_NAMES. Default: a dozen. */
  readonly metrics?: readonly string[];
  /** Upper ends of the sizes by which flows are grouped, bytes, or a distribution whose deciles they are. */
  readonly sizeBuckets?: 'WebSearch' | 'FB_Hadoop' | readonly number[];
  /** What the report and --figures show. Default: what the axes suggest. */
  readonly figures?: readonly FigureSpec[];
  /** Sweeps of more runs are rejected. Default 10,000. */
  readonly runsMax?: number;
}

/** One axis. */
export type AxisSpec = ListAxis | RangeAxis | CasesAxis | ZipAxis | SampleAxis;

/** The values of a list, one after the other. */
export interface ListAxis {
  /** Where the values go in the scenario. */
  readonly path: string;
  /** Its column. Default: the path. */
  readonly name?: string;
  /** The values. */
  readonly values: readonly unknown[];
}

/** Values from one number to another, both included. */
export interface RangeAxis {
  /** Where the values go in the scenario. */
  readonly path: string;
  /** Its column. Default: the path. */
  readonly name?: string;
  /** First value. */
  readonly from: number;
  /** Last value. */
  readonly to: number;
  /** How many values; not of ranges that are sampled. */
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

/** Axes of one length that turn together. */
export interface ZipAxis {
  /** The axes. */
  readonly zip: readonly (ListAxis | RangeAxis | CasesAxis)[];
}

/** Points at random. */
export interface SampleAxis {
  /** Each point by itself, or spread so that each range is covered evenly. */
  readonly sample: 'random' | 'latin-hypercube';
  /** How many points. */
  readonly count: number;
  /** Of the points. Default 1. */
  readonly seed?: number;
  /** Within these ranges; of lists and cases one is drawn. */
  readonly ranges: readonly (ListAxis | RangeAxis | CasesAxis)[];
}

/** A figure; axes that it does not name give a panel for each of their values, up to twelve. */
export type FigureSpec = SizeFigureSpec | CdfFigureSpec | LineFigureSpec | HeatFigureSpec | ParetoFigureSpec;

/** Slowdown by flow size, as figures 10 and 11 of the HPCC paper have it. */
export interface SizeFigureSpec {
  /** Which figure. */
  readonly kind: 'size-buckets';
  /** Of each panel. Default: what it shows. */
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
  /** Of each panel. Default: what it shows. */
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
  /** Of each panel. Default: what it shows. */
  readonly title?: string;
  /** Axis from left to right. */
  readonly x: string;
  /** From bottom to top. */
  readonly metric: string;
  /** Axis whose values have a line each. */
  readonly series?: string;
}

/** A metric at each pair of values of two axes. */
export interface HeatFigureSpec {
  /** Which figure. */
  readonly kind: 'heat-map';
  /** Of each panel. Default: what it shows. */
  readonly title?: string;
  /** Axis from left to right. */
  readonly x: string;
  /** Axis from bottom to top. */
  readonly y: string;
  /** By colour. */
  readonly metric: string;
}

/** Two metrics of each point, and those points that none beats in both; less is better. */
export interface ParetoFigureSpec {
  /** Which figure. */
  readonly kind: 'pareto';
  /** Of each panel. Default: what it shows. */
  readonly title?: string;
  /** Metric from left to right. */
  readonly x: string;
  /** Metric from bottom to top. */
  readonly y: string;
  /** Axis whose values have a colour each. */
  readonly series?: string;
}
