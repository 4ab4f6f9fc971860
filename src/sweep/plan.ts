/** Expands a sweep to its runs: each with its values, its scenario and the scenario's hash. */
import { checkRecord } from '../config/field-rules.js';
import { requirePlainJson } from '../config/json-limits.js';
import { RoceError } from '../errors.js';
import { CongestionPointRandom } from '../reference/cp/random.js';
import { hashScenario, parseScenario, type ScenarioSpec } from '../sim/index.js';
import { DEFAULT_RUNS_MAX, parseSweep, rejectSweep } from './check-sweep.js';
import { DEFAULT_METRICS, METRIC_NAMES, BUCKET_EDGES } from './metrics.js';
import type { FigureSpec, SweepSpec, AxisSpec, CasesAxis, ListAxis, RangeAxis, SampleAxis } from './spec.js';
import { withChanges, type ValueChange, stepsOfPath } from './value-path.js';

/** All runs of a sweep, in order. */
export interface SweepPlan {
  /** The sweep as given. */
  readonly sweep: SweepSpec;
  /** Names of the columns that identify a run, without the seed. */
  readonly axes: readonly string[];
  /** Names of the metrics that rows show. */
  readonly metrics: readonly string[];
  /** Upper ends of the size buckets of flows, bytes; null: those of each run's workload. */
  readonly sizeBuckets: readonly number[] | null;
  /** The runs, by index. */
  readonly runs: readonly PlannedRun[];
}

/** One run of a sweep. */
export interface PlannedRun {
  /** Position in the plan: the last axis varies faster than those before it, and seeds fastest of all. */
  readonly index: number;
  /** Index of the point; runs that differ only in their seed have the same. */
  readonly point: number;
  /** Axis values, in the order of the axes. */
  readonly values: readonly unknown[];
  /** Seed of all random choices. */
  readonly seed: number;
  /** The scenario. */
  readonly scenario: ScenarioSpec;
  /** Its hash, 16 hex digits. */
  readonly hash: string;
}

const DEFAULT_SEED = 1;

/**
 * Plans all runs of a sweep.
 *
 * @param base the base scenario, if the sweep contains only its name.
 * @throws RoceError `invalid-sweep`, naming the axis; `invalid-scenario`, naming axis and key.
 * @example
 * const plan = planSweep({
 *   name: 'How many senders?',
 *   base: { name: 'incast', topology: { kind: 'star', hosts: 17 }, workload: { kind: 'incast', senders: 1, sizeBytes: 1e6 } },
 *   axes: [{ path: 'workload.senders', values: [2, 4, 8, 16] }],
 * });
 */
export function planSweep(sweep: SweepSpec, base: unknown = sweep?.base): SweepPlan {
  const { set = {}, axes = [], figures = [] } = parseSweep(sweep);
  requirePlainJson(base, 'invalid-scenario', 'base');
  checkRecord(base, 'base');
  const start = withChanges(base, changesOf(set, 'sweep.set'));
  const seeds = seedsOf(sweep, start);
  checkRuns(sweep, seeds.length);
  const lists = axes.map((axis, index) => pointsOf(axis, `sweep.axes[${index}]`));
  const columns = axes.flatMap(columnsOfAxis);
  rejectTwice(columns);
  checkAxesOfFigures(sweep, columns);
  rejectSamePath(lists, sweep.seeds !== undefined);
  checkEachValue(start, lists);
  const metrics = [...new Set([...sweep.metrics ?? DEFAULT_METRICS, ...figures.flatMap(metricsOfFigure)])];
  return { sweep, axes: columns, metrics, sizeBuckets: edgesOf(sweep), runs: runsOf(start, lists, seeds) };
}

/** Checks the number of runs, before any point is made. */
function checkRuns({ axes = [], runsMax = DEFAULT_RUNS_MAX }: SweepSpec, seeds: number): void {
  const got = axes.reduce((product, axis) => product * countPoints(axis), seeds);
  if (got <= runsMax) return;
  const hint = 'Raise the limit with runsMax of the sweep';
  rejectSweep({ what: 'the number of runs', got, allowed: { max: runsMax }, where: 'sweep.axes', hint });
}

function seedsOf({ seeds }: SweepSpec, base: unknown): (number | undefined)[] {
  if (typeof seeds === 'number') return Array.from({ length: seeds }, (_, index) => index + 1);
  const own = (base as { readonly seed?: unknown } | null)?.seed;
  return seeds === undefined ? [typeof own === 'number' ? own : undefined] : [...seeds];
}

function edgesOf({ sizeBuckets }: SweepSpec): readonly number[] | null {
  return typeof sizeBuckets === 'string' ? BUCKET_EDGES[sizeBuckets] : (sizeBuckets ?? null);
}

/** Metrics that a figure shows, which are added to the rows. */
function metricsOfFigure(figure: FigureSpec): string[] {
  if (figure.kind === 'pareto') return [figure.x, figure.y];
  return 'metric' in figure ? [figure.metric] : [];
}

/** Columns that rows always have. */
const FIXED_COLUMNS = ['run', 'scenario', 'seed', 'ended', 'reason', 'result', ...METRIC_NAMES];

function rejectTwice(columns: readonly string[]): void {
  const fixed = columns.find((column) => FIXED_COLUMNS.includes(column));
  if (fixed !== undefined) {
    const hint = fixed === 'seed' ? 'List seeds in the key seeds of the sweep' : 'Give the axis another name';
    rejectSweep({
      what: 'the axis',
      problem: 'has the name of a built-in column',
      got: fixed,
      where: 'sweep.axes',
      hint,
    });
  }
  const at = columns.findIndex((column, index) => columns.indexOf(column) !== index);
  if (at >= 0) rejectSweep({ what: 'the axis', problem: 'appears twice', got: columns[at], where: 'sweep.axes' });
}

/** Checks that figures name existing axes. */
function checkAxesOfFigures({ figures = [] }: SweepSpec, columns: readonly string[]): void {
  figures.forEach((figure, index) => {
    for (const key of figure.kind === 'pareto' ? ['series'] : ['x', 'y', 'series']) {
      const got = Object.entries(figure).find(([name]) => name === key)?.[1] as string | undefined;
      if (got === undefined || columns.includes(got)) continue;
      rejectSweep({ what: 'the axis', got, allowed: columns, where: `sweep.figures[${index}].${key}` });
    }
  });
}

/** Rejects two axes that set the same value: the first would have no effect. */
function rejectSamePath(lists: readonly (readonly AxisPoint[])[], hasSeeds: boolean): void {
  const taken = new Map<string, string>(hasSeeds ? [['seed', 'sweep.seeds']] : []);
  lists.forEach((points, index) => {
    const from = `sweep.axes[${index}]`;
    for (const path of new Set(points.flatMap(({ changes }) => changes.map((change) => change.path.join('.'))))) {
      const before = taken.get(path);
      if (before !== undefined)
        rejectSweep({ what: 'the path', problem: `is also set by ${before}`, got: path, where: from });
      taken.set(path, from);
    }
  });
}

/**
 * Validates each value together with the first values of the other axes, so that invalid values are rejected before any
 * run starts.
 */
function checkEachValue(base: unknown, lists: readonly (readonly AxisPoint[])[]): void {
  const first = lists.map((points) => points[0]);
  checkScenario(base, joined(first).changes, undefined);
  lists.forEach((points, axis) => {
    for (const point of points.slice(1)) {
      checkScenario(base, joined(first.with(axis, point)).changes, point.changes[0]?.from);
    }
  });
}

function checkScenario(base: unknown, changes: readonly ValueChange[], from: string | undefined): void {
  try {
    parseScenario(withChanges(base, changes));
  } catch (error) {
    if (!(error instanceof RoceError) || error.code !== 'invalid-scenario') throw error;
    const cause = from ?? causeOf(error, changes);
    throw cause === undefined ? error : error.at(`${cause}, ${error.where}`);
  }
}

/** The axis that set the invalid value, if the error's location reveals it. */
function causeOf({ where }: RoceError, changes: readonly ValueChange[]): string | undefined {
  return changes.find(({ path }) => where.startsWith(path.join('.')))?.from;
}

function runsOf(base: unknown, lists: readonly (readonly AxisPoint[])[],
  seeds: readonly (number | undefined)[]): PlannedRun[] {
  const points = product(lists);
  return points.flatMap((point, at) => {
    const changed = withChanges(base, point.changes);
    return seeds.map((seed, nth): PlannedRun => {
      const change = { path: ['seed'], value: seed, from: 'sweep.seeds' };
      const scenario = (seed === undefined ? changed : withChanges(changed, [change])) as ScenarioSpec;
      const values = point.shown.map(([, value]) => value);
      const index = at * seeds.length + nth;
      return { index, point: at, values, seed: scenario.seed ?? DEFAULT_SEED, scenario, hash: hashScenario(scenario) };
    });
  });
}

/** All combinations of the axes' points, with the last axis varying fastest. */
function product(lists: readonly (readonly AxisPoint[])[]): AxisPoint[] {
  return lists.reduce<AxisPoint[]>(
    (before, points) => before.flatMap((one) => points.map((point) => joined([one, point]))),
    [{ shown: [], changes: [] }],
  );
}

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
function countPoints(axis: AxisSpec): number {
  if ('zip' in axis) return Math.max(...axis.zip.map(countPoints));
  if ('sample' in axis) return axis.count;
  if ('cases' in axis) return Object.keys(axis.cases).length;
  return 'values' in axis ? axis.values.length : (axis.count ?? 1);
}

/** Columns of an axis. */
function columnsOfAxis(axis: AxisSpec): string[] {
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
