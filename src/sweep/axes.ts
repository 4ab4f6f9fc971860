/** Turns axes into points, each with its changes to the scenario and its column values. */
import { CongestionPointRandom } from '../reference/cp/random.js';
import { rejectSweep } from './check-sweep.js';
import type { AxisSpec, CasesAxis, ListAxis, RangeAxis, SampleAxis } from './spec.js';
import { stepsOfPath, type ValueChange } from './value-path.js';

/** One value of an axis, or of several that change together. */
export interface AxisPoint {
  /** Column values, by column name. */
  readonly shown: readonly (readonly [name: string, value: unknown])[];
  /** Changes to the scenario. */
  readonly changes: readonly ValueChange[];
}

type PlainAxis = ListAxis | RangeAxis | CasesAxis;

const DEFAULT_SAMPLE_SEED = 1;
/** Significant digits of values on logarithmic axes: rounding hides differences between machines' logarithms. */
const LOG_DIGITS = 6;

/** All points of an axis. @param where path of the axis, for errors. */
export function pointsOf(axis: AxisSpec, where: string): AxisPoint[] {
  if ('zip' in axis) return zipped(axis.zip, where);
  return 'sample' in axis ? sampled(axis, where) : plainPoints(axis, where);
}

/** Number of points of an axis, computed without making them. */
export function countPoints(axis: AxisSpec): number {
  if ('zip' in axis) return Math.max(...axis.zip.map(countPoints));
  if ('sample' in axis) return axis.count;
  if ('cases' in axis) return Object.keys(axis.cases).length;
  return 'values' in axis ? axis.values.length : (axis.count ?? 1);
}

/** Columns of an axis. */
export function columnsOfAxis(axis: AxisSpec): string[] {
  if ('zip' in axis) return axis.zip.map(nameOf);
  return 'sample' in axis ? axis.ranges.map(nameOf) : [nameOf(axis)];
}

function nameOf(axis: PlainAxis): string {
  return 'cases' in axis ? axis.name : (axis.name ?? axis.path);
}

function plainPoints(axis: PlainAxis, where: string): AxisPoint[] {
  if ('cases' in axis) return casePoints(axis, where);
  const values = 'values' in axis ? axis.values : rangeValues(axis);
  return values.map((value) => valuePoint(axis, value, where));
}

function casePoints({ name, cases }: CasesAxis, where: string): AxisPoint[] {
  return Object.entries(cases).map(([label, values]) => ({
    shown: [[name, label]],
    changes: changesOf(values, `${where} (${name}: ${label})`),
  }));
}

/** Converts values by path to changes. */
export function changesOf(values: Readonly<Record<string, unknown>>, from: string): ValueChange[] {
  return Object.entries(values).map(([path, value]) => ({ path: stepsOfPath(path) ?? [], value, from }));
}

function valuePoint(axis: ListAxis | RangeAxis, value: unknown, where: string): AxisPoint {
  const change = { path: stepsOfPath(axis.path) ?? [], value, from: `${where} (${nameOf(axis)})` };
  return { shown: [[nameOf(axis), value]], changes: [change] };
}

function rangeValues({ count = 1, ...axis }: RangeAxis): number[] {
  return Array.from({ length: count }, (_, index) => valueAt(axis, count === 1 ? 0 : index / (count - 1)));
}

/** The value at a share (0 to 1) of a range; exact at the ends. */
function valueAt({ from, to, scale, whole }: RangeAxis, share: number): number {
  const value = share === 0 ? from : share === 1 ? to : inner(from, to, scale === 'log', share);
  return whole === true ? Math.round(value) : value;
}

function inner(from: number, to: number, isLog: boolean, share: number): number {
  if (isLog) return Number((from * (to / from) ** share).toPrecision(LOG_DIGITS));
  return Number((from + (to - from) * share).toPrecision(12));
}

function zipped(axes: readonly PlainAxis[], where: string): AxisPoint[] {
  const lists = axes.map((axis, index) => plainPoints(axis, `${where}.zip[${index}]`));
  const odd = lists.findIndex((list) => list.length !== lists[0].length);
  if (odd > 0) {
    const got = `${lists[odd].length} of ${nameOf(axes[odd])}`;
    const what = 'the number of values that turn together';
    rejectSweep({ what, got, allowed: `${lists[0].length}, as of ${nameOf(axes[0])}`, where: `${where}.zip[${odd}]` });
  }
  return lists[0].map((_, at) => joined(lists.map((list) => list[at])));
}

/** Merges points into one. */
export function joined(points: readonly AxisPoint[]): AxisPoint {
  return { shown: points.flatMap(({ shown }) => shown), changes: points.flatMap(({ changes }) => changes) };
}

function sampled({ sample, count, seed = DEFAULT_SAMPLE_SEED, ranges }: SampleAxis, where: string): AxisPoint[] {
  const random = new CongestionPointRandom(seed);
  const columns = ranges.map((axis, index) => {
    const shares = sample === 'random' ? randomShares(count, random) : latinShares(count, random);
    return shares.map((share) => sampledPoint(axis, share, `${where}.ranges[${index}]`));
  });
  return Array.from({ length: count }, (_, at) => joined(columns.map((column) => column[at])));
}

function randomShares(count: number, random: CongestionPointRandom): number[] {
  return Array.from({ length: count }, () => random.next());
}

/** One random share in each of `count` equal parts, in random order (McKay, Beckman, Conover, Technometrics 1979). */
function latinShares(count: number, random: CongestionPointRandom): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(random.next() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order.map((part) => (part + random.next()) / count);
}

function sampledPoint(axis: PlainAxis, share: number, where: string): AxisPoint {
  if (!('cases' in axis) && !('values' in axis)) return valuePoint(axis, valueAt(axis, share), where);
  const points = plainPoints(axis, where);
  return points[Math.min(points.length - 1, Math.floor(share * points.length))];
}
