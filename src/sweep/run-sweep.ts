/**
 * Runs a sweep, several runs concurrently, and yields rows in the order of the plan; formats rows as CSV and JSON
 * lines.
 *
 * The order in which runs finish depends on the executor; the rows do not, nor on wall-clock time, or on where a run
 * was done.
 */
import { checkField, checkRecord, reject, wholeIn } from '../config/field-rules.js';
import type { UetReference } from '../sim/index.js';
import type { SweepLine } from '../sim/result-schema/result.js';
import { jobOf, runJob, type FilesOfJob, type RunOutcome, type SweepJob, isDigest } from './digest.js';
import type { PlannedRun, SweepPlan } from './plan.js';

/** Performs one run, here or elsewhere. An exception ends the sweep; a failed run is an outcome. */
export type SweepExecutor = (job: SweepJob, run: PlannedRun) => Promise<RunOutcome>;

/** Options of a sweep's run. */
export interface SweepOptions {
  /** Performs a run. Default: on the calling thread, one after the other. */
  readonly execute?: SweepExecutor;
  /** The simulator for scenarios of fidelity `reference-uet`, without `execute`: `uetReference` of `roce-cc/uet`. */
  readonly uetReference?: UetReference;
  /** Concurrent runs, 1 to 10,000. Default 1. */
  readonly atOnce?: number;
  /** Ends the sweep: no further runs are started, and those in progress are not awaited. */
  readonly signal?: AbortSignal;
  /** Called for each completed run, in any order. */
  readonly onDone?: (row: SweepRow) => void;
}

const AT_ONCE_MAX = 10_000;
/** Maximum number of runs ahead of the next row, per concurrent run, while an earlier run is slow. */
const AHEAD = 100;

/**
 * Runs a sweep.
 *
 * @returns rows in the order of the plan, each as soon as all earlier runs are done; fewer if the signal ended the
 * sweep.
 * @throws RoceError `invalid-config` for invalid options; any error that the executor throws.
 * @example
 * const plan = planSweep(sweep);
 * for await (const row of runSweep(plan)) console.log(rowToJson(row, plan));
 */
export async function* runSweep(plan: SweepPlan, options: SweepOptions = {}): AsyncGenerator<SweepRow> {
  checkRecord(plan, 'plan');
  checkRecord(options, 'options');
  const { uetReference, atOnce = 1, signal, onDone = () => undefined } = options;
  const { execute = (job: SweepJob) => executeHere(job, uetReference === undefined ? {} : { uetReference }) } = options;
  if (typeof execute !== 'function') reject({ got: execute, allowed: 'a function', where: 'options.execute' });
  if (typeof onDone !== 'function') reject({ got: onDone, allowed: 'a function', where: 'options.onDone' });
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.addEventListener !== 'function')
    reject({ got: signal, allowed: 'an AbortSignal', where: 'options.signal' });
  checkField(atOnce, wholeIn(1, AT_ONCE_MAX), 'options.atOnce');
  const waiting = new Map<number, Promise<SweepRow>>();
  const start = (run: PlannedRun): Promise<SweepRow> => rowOf(run, plan, execute, onDone);
  const slots = new Slots(atOnce);
  let next = 0;
  for (let index = 0; index < plan.runs.length; index++) {
    for (; next < plan.runs.length && next < index + AHEAD * atOnce; next++) {
      const run = plan.runs[next];
      const row = slots.use(() => start(run), signal);
      // A rejection is reported when its row is due, not as unhandled.
      row.catch(() => undefined);
      waiting.set(next, row);
    }
    const row = await unlessAborted(waiting.get(index), signal);
    if (row === undefined) return;
    waiting.delete(index);
    yield row;
  }
}

async function rowOf(run: PlannedRun, plan: SweepPlan, execute: SweepExecutor,
  onDone: (row: SweepRow) => void): Promise<SweepRow> {
  const row = { run, outcome: await execute(jobOf(run, plan), run) };
  onDone(row);
  return row;
}

/** The result of a promise, or undefined as soon as the signal is aborted. */
async function unlessAborted<T>(promise: Promise<T> | undefined,
  signal: AbortSignal | undefined): Promise<T | undefined> {
  if (signal === undefined) return promise;
  let stop: () => void = () => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => {
      resolve(undefined);
    };
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Limits concurrency; waiting calls proceed in order. */
class Slots {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async use<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (this.#free > 0) this.#free--;
    else {
      await new Promise<void>((resolve) => {
        this.#queue.push(resolve);
      });
    }
    try {
      if (signal?.aborted === true) return await new Promise<never>(() => undefined);
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

/** Performs a run on this thread, after yielding to the event loop. */
async function executeHere(job: SweepJob, files: FilesOfJob): Promise<RunOutcome> {
  await new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
  return runJob(job, Infinity, files);
}

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
