/** Chooses the unit that suits a metric's values. */
import type { MetricUnit } from '../../sim/metrics.js';

export interface FigureUnit {
  readonly name: string;
  /** Size of the unit, in the metric's base unit. */
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
/** If the largest value is less than this many of a unit, the next smaller unit is used. */
const LEAST = 2;

/** The unit for a metric with this largest value. */
export function figureUnit(unit: MetricUnit, largest: number): FigureUnit {
  if (unit === 'ps') return unitFor(largest, TIMES);
  if (unit === 'B') return unitFor(largest, SIZES);
  return unit === 'bps' ? unitFor(largest, RATES) : NONE;
}

function unitFor(largest: number, units: readonly FigureUnit[]): FigureUnit {
  return units.findLast(({ size }) => largest >= LEAST * size) ?? units[0] ?? NONE;
}
