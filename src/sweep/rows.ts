/** Formats rows of a sweep as CSV and JSON lines. They do not depend on wall-clock time, or on where a run was done. */
import { checkRecord } from '../config/field-rules.js';
import { isDigest, type RunOutcome } from './digest.js';
import type { PlannedRun, SweepPlan } from './plan.js';
import type { SweepLine } from '../sim/result-schema/sweep-row.js';

/** One run and its outcome. */
export interface SweepRow {
  /** The run. */
  readonly run: PlannedRun;
  /** Its outcome. */
  readonly outcome: RunOutcome;
}

/** Names of the columns, in order. */
export function rowColumns(plan: SweepPlan): string[] {
  checkRecord(plan, 'plan');
  const { axes, metrics } = plan;
  return ['run', 'scenario', ...axes, 'seed', 'ended', 'reason', 'result', ...metrics];
}

/** A row's values, in the order of the columns; null if the run has none. */
export function rowValues(row: SweepRow, plan: SweepPlan): (string | number | null)[] {
  checkRecord(row, 'row');
  checkRecord(plan, 'plan');
  const { run, outcome } = row;
  const { metrics } = plan;
  const { index, hash, values, seed } = run;
  const done = isDigest(outcome) ? outcome : undefined;
  const reason = isDigest(outcome) ? null : outcome.reason;
  const numbers = metrics.map((name) => done?.metrics[name] ?? null);
  return [index, hash, ...values.map(cellOf), seed, outcome.ended, reason, done?.result ?? null, ...numbers];
}

/** Values that are neither text nor number are written as JSON. */
function cellOf(value: unknown): string | number {
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}

/** A row as one line of JSON, without a line end. */
export function rowToJson(row: SweepRow, plan: SweepPlan): string {
  checkRecord(row, 'row');
  checkRecord(plan, 'plan');
  const { run: { index, hash, values, seed }, outcome } = row;
  const axes = Object.fromEntries(plan.axes.map((name, at) => [name, values[at]]));
  const head = { run: index, scenario: hash, axes, seed, ended: outcome.ended };
  if (!isDigest(outcome)) return lineOf({ ...head, reason: outcome.reason });
  const metrics = Object.fromEntries(plan.metrics.map((name) => [name, outcome.metrics[name] ?? null]));
  return lineOf({ ...head, result: outcome.result, metrics, buckets: outcome.buckets });
}

function lineOf(line: SweepLine): string {
  return JSON.stringify(line);
}
