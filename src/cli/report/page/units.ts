/** The unit in which a chart's numbers are short. */

export interface Unit {
  readonly name: string;
  /** One of it, in the smallest one. */
  readonly size: number;
}

export const TIME_UNITS: readonly Unit[] = [{ name: 'µs', size: 1 }, { name: 'ms', size: 1e3 }, {
  name: 's',
  size: 1e6,
}];
export const BYTE_UNITS: readonly Unit[] = [{ name: 'bytes', size: 1 }, { name: 'kB', size: 1e3 }, {
  name: 'MB',
  size: 1e6,
}, { name: 'GB', size: 1e9 }];
export const RATE_UNITS: readonly Unit[] = [{ name: 'Mb/s', size: 1 }, { name: 'Gb/s', size: 1e3 }, {
  name: 'Tb/s',
  size: 1e6,
}];
export const PERCENT: Unit = { name: '%', size: 0.01 };
export const NO_UNIT: Unit = { name: '', size: 1 };

/** A largest value below this many of a unit reads better in the smaller one. */
const LEAST = 2;

export function unitFor(largest: number, units: readonly Unit[]): Unit {
  return units.findLast(({ size }) => largest >= LEAST * size) ?? units[0] ?? NO_UNIT;
}

/** A value read off a chart, with its unit. */
export function withUnit(value: number, { name }: Unit): string {
  return `${Number(value.toPrecision(4)).toLocaleString('en-US')}${name === '' ? '' : ` ${name}`}`;
}
