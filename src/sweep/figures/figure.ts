/** A figure as data, for a page, an SVG or a CSV. Numbers are in the units that the axes name. */

export interface Figure {
  /** Unique among all figures: part of the names of its files. */
  readonly id: string;
  readonly title: string;
  /** Description, one sentence or two. */
  readonly caption: string;
  readonly x: FigureAxis;
  readonly y: FigureAxis;
  readonly lines: readonly FigureLine[];
  /** Instead of lines: a value for each pair of names. */
  readonly heat?: HeatMap;
}

export interface FigureAxis {
  readonly label: string;
  /** Empty: none. */
  readonly unit: string;
  readonly scale: 'linear' | 'log' | 'names';
  /** Of scale `names`: the labels at 0, 1, 2, … */
  readonly names?: readonly string[];
}

export interface FigureLine {
  readonly label: string;
  readonly x: readonly number[];
  /** null = a gap. */
  readonly y: readonly (number | null)[];
  /** The band around it: least and greatest of the seeds. */
  readonly low?: readonly (number | null)[];
  readonly high?: readonly (number | null)[];
  /** Points without a connecting line. */
  readonly isScattered?: boolean;
}

export interface HeatMap {
  /** Rows from the lowest name of the vertical axis up, columns in the order of the horizontal one; null: no value. */
  readonly values: readonly (readonly (number | null)[])[];
  /** Title of the values. */
  readonly label: string;
  readonly unit: string;
}
