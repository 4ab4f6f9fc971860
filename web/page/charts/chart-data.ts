/** Lines of a chart, and their values as uPlot takes them. */
import uPlot from 'uplot';

export interface Line {
  readonly label: string;
  /** Times of its values, picoseconds. */
  readonly timesPs: Float64Array;
  readonly values: Float64Array;
  readonly color: string;
  readonly dash: readonly number[];
  readonly width: number;
  /** Is it named below the chart, with its value? */
  readonly isNamed: boolean;
  readonly isStepped?: boolean;
}

/** Lines with the same times stand together, in the order of their first: so `dataOf` joins them, and so series must stand. */
export function inGroups(lines: readonly Line[]): Line[] {
  const groups = [...new Set(lines.map(({ timesPs }) => timesPs))];
  return groups.flatMap((timesPs) => lines.filter((line) => line.timesPs === timesPs));
}

/** All lines over the times of all. @param lines as `inGroups` gives them. */
export function dataOf(lines: readonly Line[]): uPlot.AlignedData {
  const [first] = lines;
  if (first === undefined) return [[]];
  if (lines.every(({ timesPs }) => timesPs === first.timesPs)) {
    return [first.timesPs, ...lines.map(({ values }) => withGaps(values))];
  }
  const groups = [...new Set(lines.map(({ timesPs }) => timesPs))];
  return uPlot.join(groups.map((timesPs) =>
    [
      timesPs,
      ...lines.filter((line) => line.timesPs === timesPs).map(({ values }) => withGaps(values)),
    ] as uPlot.AlignedData
  ));
}

function withGaps(values: Float64Array): Float64Array | (number | null)[] {
  return values.some(Number.isNaN) ? Array.from(values, (value) => (Number.isNaN(value) ? null : value)) : values;
}
