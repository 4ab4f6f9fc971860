/** The unit in which numbers of a metric are short. */
import type { MetricUnit } from '../../sim/metrics.js';

export interface FigureUnit {
  readonly name: string;
  /** The size of one unit, in the metric's own unit. */
  readonly size: number;
}

const TIMES: readonly FigureUnit[] = [{ name: 'ns', size: 1e3 }, { name: 'µs', size: 1e6 }, { name: 'ms', size: 1e9 }, {
  name: 's',
  size: 1e12,
}];
const SIZES: readonly FigureUnit[] = [
  { name: 'bytes', size: 1 },
  { name: 'kB', size: 1e3 },
  { name: 'MB', size: 1e6 },
  {
    name: 'GB',
    size: 1e9,
  },
];
const RATES: readonly FigureUnit[] = [{ name: 'Mb/s', size: 1e6 }, { name: 'Gb/s', size: 1e9 }, {
  name: 'Tb/s',
  size: 1e12,
}];
const NONE: FigureUnit = { name: '', size: 1 };
/** A largest value below this many of a unit reads better in the smaller one. */
const LEAST = 2;

/** Of a metric with this largest value. */
export function figureUnit(unit: MetricUnit, largest: number): FigureUnit {
  if (unit === 'ps') return unitFor(largest, TIMES);
  if (unit === 'B') return unitFor(largest, SIZES);
  return unit === 'bps' ? unitFor(largest, RATES) : NONE;
}

function unitFor(largest: number, units: readonly FigureUnit[]): FigureUnit {
  return units.findLast(({ size }) => largest >= LEAST * size) ?? units[0] ?? NONE;
}
