/**
 * Groups rows of a sweep into panels and series. There is one panel for each combination of values of the axes that a
 * figure does not show.
 */
import type { MetricUnit } from '../../sim/metrics.js';
import { isDigest, type RunDigest } from '../digest.js';
import type { SweepPlan } from '../plan.js';
import type { SweepRow } from '../run-sweep.js';

/** Runs that have equal values on all axes that the figure does not show. */
export interface Panel {
  /** `load 0.5, g 0.0625`; empty if there is only one. */
  readonly label: string;
  readonly points: readonly PanelPoint[];
}

/** One point of the axes, with a digest for each seed that has one. */
export interface PanelPoint {
  readonly valueOf: (axis: string) => unknown;
  readonly digests: readonly RunDigest[];
}

/** Panels in the order of the axes. @param shown axes that the figure shows. */
export function panelsOf(plan: SweepPlan, rows: readonly SweepRow[], shown: readonly (string | undefined)[]): Panel[] {
  const split = plan.axes.map((name, at) => ({ name, at })).filter(({ name }) => !shown.includes(name));
  const panels = new Map<string, { label: string; points: Map<number, SweepRow[]> }>();
  for (const row of rows) {
    const { values, point } = row.run;
    const label = split.map(({ name, at }) => `${name} ${textOf(values[at])}`).join(', ');
    const panel = panels.get(label) ?? { label, points: new Map<number, SweepRow[]>() };
    panels.set(label, panel);
    panel.points.set(point, [...(panel.points.get(point) ?? []), row]);
  }
  return [...panels.values()].map(({ label, points }) => ({
    label,
    points: [...points.values()].map((seeds) => pointOf(plan, seeds)),
  }));
}

function pointOf(plan: SweepPlan, rows: readonly SweepRow[]): PanelPoint {
  return {
    valueOf: (axis) => rows[0].run.values[plan.axes.indexOf(axis)],
    digests: rows.flatMap(({ outcome }) => (isDigest(outcome) ? [outcome] : [])),
  };
}

/** Groups points by their value on an axis, in order of appearance; without an axis, all are in one series `name`. */
export function seriesOf(points: readonly PanelPoint[], axis: string | undefined,
  name: string): { label: string; points: PanelPoint[] }[] {
  const series = new Map<string, PanelPoint[]>();
  for (const point of points) {
    const label = axis === undefined ? name : seriesLabel(axis, point.valueOf(axis));
    series.set(label, [...(series.get(label) ?? []), point]);
  }
  return [...series].map(([label, members]) => ({ label, points: members }));
}

/** Label of a series. A name is clear alone, a number needs the name of its axis. */
function seriesLabel(axis: string, value: unknown): string {
  return typeof value === 'string' ? value : `${axis} ${textOf(value)}`;
}

/** Formats an axis value. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(Number(value.toPrecision(4))) : JSON.stringify(value);
}

/** The unit that suits a metric's values. */
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
