/** The numbers of a figure as CSV, in the units of its axes. */
import { csvLine } from '../../sim/files/csv.js';
import type { Figure, FigureAxis } from '../../sweep/figures/figure.js';

/** A row for each point: the name of its line, x, y, and the range over seeds. */
export function* figureCsv(figure: Figure): Generator<string> {
  const { x, y, lines, heat } = figure;
  if (heat !== undefined) {
    yield csvLine([x.label, y.label, withUnit(heat.label, heat.unit)]);
    for (const [row, values] of heat.values.entries()) {
      for (const [column, value] of values.entries()) {
        yield csvLine([x.names?.[column] ?? column, y.names?.[row] ?? row, value]);
      }
    }
    return;
  }
  yield csvLine(['line', withUnit(x.label, x.unit), withUnit(y.label, y.unit), 'least', 'most']);
  for (const line of lines) {
    for (const [index, at] of line.x.entries()) {
      yield csvLine([
        line.label,
        placeText(x, at),
        line.y[index] ?? null,
        line.low?.[index] ?? null,
        line.high?.[index] ?? null,
      ]);
    }
  }
}

function placeText({ names }: FigureAxis, at: number): string | number {
  return names?.[at] ?? at;
}

/** A label with its unit: `Slowdown`, `Queue (kB)`. */
export function withUnit(label: string, unit: string): string {
  return unit === '' ? label : `${label} (${unit})`;
}
