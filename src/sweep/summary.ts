/** Summarises the points of a sweep over seeds: mean and confidence interval. */
import { checkRecord, reject } from '../config/field-rules.js';
import { isDigest } from './digest.js';
import type { SweepPlan } from './plan.js';
import type { SweepRow } from './run-sweep.js';

/** One point of the axes. */
export interface PointSummary {
  /** Index of the point. */
  readonly point: number;
  /** Axis values, in the order of the axes. */
  readonly values: readonly unknown[];
  /** Runs with a result. */
  readonly runs: number;
  /** Runs without one. */
  readonly failed: number;
  /** The plan's metrics, by name; null if no run has the value. */
  readonly metrics: Readonly<Record<string, MeanOverSeeds | null>>;
}

/** Statistics over the runs that have the value. */
export interface MeanOverSeeds {
  /** Number of these runs. */
  readonly count: number;
  /** Arithmetic mean. */
  readonly mean: number;
  /** Sample standard deviation; null for a single run. */
  readonly deviation: number | null;
  /** Half-width of the 95 % confidence interval, by Student's t; null for a single run. */
  readonly half95: number | null;
  /** Minimum. */
  readonly min: number;
  /** Maximum. */
  readonly max: number;
}

/** Summarises points, in order. @param rows of the plan, in order; missing ones are not counted. */
export function summarisePoints(plan: SweepPlan, rows: readonly SweepRow[]): PointSummary[] {
  checkRecord(plan, 'plan');
  if (!Array.isArray(rows)) reject({ got: rows, allowed: 'a list of rows', where: 'rows' });
  const points = new Map<number, SweepRow[]>();
  for (const row of rows as readonly SweepRow[]) {
    checkRecord(row, 'rows');
    checkRecord(row.run, 'rows.run');
    checkRecord(row.outcome, 'rows.outcome');
    const point = points.get(row.run.point);
    if (point === undefined) points.set(row.run.point, [row]);
    else point.push(row);
  }
  return [...points].map(([point, members]) => summaryOf(point, members, plan.metrics));
}

function summaryOf(point: number, rows: readonly SweepRow[], metrics: readonly string[]): PointSummary {
  const done = rows.flatMap(({ outcome }) => (isDigest(outcome) ? [outcome] : []));
  const means = metrics.map((name): [string, MeanOverSeeds | null] => [
    name,
    meanOverSeeds(done.flatMap((digest) => digest.metrics[name] ?? [])),
  ]);
  return {
    point,
    values: rows[0].run.values,
    runs: done.length,
    failed: rows.length - done.length,
    metrics: Object.fromEntries(means),
  };
}

/** Statistics of values, which are summed in order; null if there are none. */
export function meanOverSeeds(values: readonly number[]): MeanOverSeeds | null {
  const count = values.length;
  if (count === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const ends = { min: Math.min(...values), max: Math.max(...values) };
  if (count === 1) return { count, mean, deviation: null, half95: null, ...ends };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (count - 1));
  return { count, mean, deviation, half95: (studentT95(count - 1) * deviation) / Math.sqrt(count), ...ends };
}

/** 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom: NIST/SEMATECH e-Handbook, section 1.3.6.7.2. */
const T_975 = [
  12.706,
  4.303,
  3.182,
  2.776,
  2.571,
  2.447,
  2.365,
  2.306,
  2.262,
  2.228,
  2.201,
  2.179,
  2.16,
  2.145,
  2.131,
  2.12,
  2.11,
  2.101,
  2.093,
  2.086,
  2.08,
  2.074,
  2.069,
  2.064,
  2.06,
  2.056,
  2.052,
  2.048,
  2.045,
  2.042,
];
const NORMAL_975 = 1.959964;

/**
 * Beyond the table, uses the first terms of the expansion in 1 / degrees (Abramowitz and Stegun, 26.7.5), accurate to 3
 * digits.
 */
export function studentT95(degrees: number): number {
  const z = NORMAL_975;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  return T_975[degrees - 1] ?? z + first / degrees + second / degrees ** 2;
}
