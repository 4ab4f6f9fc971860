/** Turns a sweep into its runs: each with its values, its scenario and the scenario's hash. */
import { hashScenario, parseScenario, type ScenarioSpec } from '../sim/index.js';
import { checkRecord } from '../config/field-rules.js';
import { requirePlainJson } from '../config/json-limits.js';
import { RoceError } from '../errors.js';
import { changesOf, columnsOfAxis, countPoints, joined, pointsOf, type AxisPoint } from './axes.js';
import { DEFAULT_RUNS_MAX, parseSweep, rejectSweep } from './check-sweep.js';
import { DEFAULT_METRICS, METRIC_NAMES } from './metrics.js';
import { BUCKET_EDGES } from './size-buckets.js';
import type { FigureSpec, SweepSpec } from './spec.js';
import { withChanges, type ValueChange } from './value-path.js';

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
