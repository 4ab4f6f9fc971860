/** A figure as data: what a page draws, an SVG shows and a CSV lists. Numbers are in the units that the axes name. */

export interface Figure {
  /** Unlike that of all other figures: part of the names of its files. */
  readonly id: string;
  readonly title: string;
  /** What it shows, one sentence or two. */
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
  /** Of scale `names`: what stands at 0, 1, 2, … */
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
  /** Points that no line joins. */
  readonly isScattered?: boolean;
}

export interface HeatMap {
  /** Rows from the lowest name of the vertical axis up, columns as the horizontal one has them; null: no value. */
  readonly values: readonly (readonly (number | null)[])[];
  /** What the values are. */
  readonly label: string;
  readonly unit: string;
}
