/** A figure as data, for a page, an SVG or a CSV. Numbers are in the units of the axes. */

export interface Figure {
  /** Unique among all figures; part of its file names. */
  readonly id: string;
  readonly title: string;
  /** Description, one or two sentences. */
  readonly caption: string;
  readonly x: FigureAxis;
  readonly y: FigureAxis;
  readonly lines: readonly FigureLine[];
  /** A heat map, instead of lines. */
  readonly heat?: HeatMap;
}

export interface FigureAxis {
  readonly label: string;
  /** Empty for no unit. */
  readonly unit: string;
  readonly scale: 'linear' | 'log' | 'names';
  /** For scale `names`: the labels at 0, 1, 2, … */
  readonly names?: readonly string[];
}

export interface FigureLine {
  readonly label: string;
  readonly x: readonly number[];
  /** Values; null is a gap. */
  readonly y: readonly (number | null)[];
  /** Band around the line: minimum and maximum over seeds. */
  readonly low?: readonly (number | null)[];
  readonly high?: readonly (number | null)[];
  /** Whether it is drawn as points without a connecting line. */
  readonly isScattered?: boolean;
}

export interface HeatMap {
  /** Rows from the bottom up, columns from left to right, in the order of the axes' names; null for no value. */
  readonly values: readonly (readonly (number | null)[])[];
  /** What the values are. */
  readonly label: string;
  readonly unit: string;
}
