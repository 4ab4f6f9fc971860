/**
 * Runs a sweep, some runs at once, and yields rows in the order of the plan.
 *
 * The order in which runs are done depends on the executor; the rows do not.
 */
import { checkField, checkRecord, reject, wholeIn } from '../config/field-rules.js';
import type { UetReference } from '../sim/index.js';
import { jobOf, runJob, type FilesOfJob, type RunOutcome, type SweepJob } from './digest.js';
import type { PlannedRun, SweepPlan } from './plan.js';
import type { SweepRow } from './rows.js';

/** Does one run, here or elsewhere. An exception ends the sweep; a run that fails is an outcome. */
export type SweepExecutor = (job: SweepJob, run: PlannedRun) => Promise<RunOutcome>;

/** Options of a sweep's run. */
export interface SweepOptions {
  /** Default: one run after the other on the calling thread. */
  readonly execute?: SweepExecutor;
  /** Without `execute`, what runs scenarios of fidelity `reference-uet`: `uetReference` of `roce-cc/uet`. */
  readonly uetReference?: UetReference;
  /** Concurrent runs, 1 to 10,000. Default 1. */
  readonly atOnce?: number;
  /** Ends the sweep: no further run is started, and runs in progress are not waited for. */
  readonly signal?: AbortSignal;
  /** Called for each completed run, in any order. */
  readonly onDone?: (row: SweepRow) => void;
}

const AT_ONCE_MAX = 10_000;
/** Completed runs that wait for a slower one before them, per concurrent run. */
const AHEAD = 100;

/**
 * Runs a sweep.
 *
 * @returns rows in the order of the plan, each as soon as all before it are done; fewer if the signal ended it.
 * @throws RoceError `invalid-config` for the options; what the executor throws.
 * @example
 * for await (const row of runSweep(planSweep(sweep))) console.log(rowToJson(row, plan));
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
      // A failure is reported in the order of the rows.
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

/** Limits concurrency, in the order of calls. */
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

/** One after the other, yielding between them. */
async function executeHere(job: SweepJob, files: FilesOfJob): Promise<RunOutcome> {
  await new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
  return runJob(job, Infinity, files);
}
