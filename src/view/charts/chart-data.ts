/** Lines of a chart, and their conversion to uPlot's data. */
import uPlot from 'uplot';

export interface Line {
  readonly label: string;
  /** Times of its values, picoseconds. */
  readonly timesPs: Float64Array;
  readonly values: Float64Array;
  readonly color: string;
  readonly dash: readonly number[];
  readonly width: number;
  /** Whether it is named below the chart, with its value. */
  readonly isNamed: boolean;
  readonly isStepped?: boolean;
}

/**
 * Sorts lines so that those with the same times are adjacent, in order of first appearance. `dataOf` expects this
 * order.
 */
export function inGroups(lines: readonly Line[]): Line[] {
  const groups = [...new Set(lines.map(({ timesPs }) => timesPs))];
  return groups.flatMap((timesPs) => lines.filter((line) => line.timesPs === timesPs));
}

/** What a redraw must update: nothing, line widths, values, or everything. */
export type Change = 'none' | 'widths' | 'values' | 'lines';

/** @param after the lines to draw next; both lists ordered by `inGroups`. */
export function changeOf(before: readonly Line[], after: readonly Line[]): Change {
  const pairs = after.map((line, index) => [before[index], line] as const);
  if (before.length !== after.length || !pairs.every(([one, other]) => one !== undefined && isLike(one, other)))
    return 'lines';
  if (pairs.some(([one, other]) => one?.values !== other.values || one.timesPs !== other.timesPs)) return 'values';
  return pairs.some(([one, other]) => one?.width !== other.width) ? 'widths' : 'none';
}

function isLike(one: Line, other: Line): boolean {
  return one.label === other.label && one.color === other.color && one.isStepped === other.isStepped &&
    one.dash.join() === other.dash.join();
}

/** Joins all lines over the union of their times. @param lines ordered by `inGroups`. */
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

/** Converted values of each line: when one line changes, most others are redrawn unchanged. */
const gapped = new WeakMap<Float64Array, (number | null)[]>();

/** Replaces NaN by null, which uPlot expects for missing values. */
function withGaps(values: Float64Array): Float64Array | (number | null)[] {
  const known = gapped.get(values);
  if (known !== undefined) return known;
  let at = 0;
  while (at < values.length && !Number.isNaN(values[at])) at++;
  if (at === values.length) return values;
  const made = new Array<number | null>(values.length);
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? NaN;
    made[index] = Number.isNaN(value) ? null : value;
  }
  gapped.set(values, made);
  return made;
}

/** Index of the last time at or before `timePs`; 0 if all are later. */
export function indexAt(timesPs: Float64Array, timePs: number): number {
  let [low, high] = [0, timesPs.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((timesPs[middle] ?? 0) <= timePs) low = middle;
    else high = middle - 1;
  }
  return low;
}
