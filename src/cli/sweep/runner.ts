/** Runs scenarios on worker threads, one per core, each with its share of memory, and with a cache. */
import { availableParallelism, homedir, totalmem } from 'node:os';
import path from 'node:path';
import workerpool, { type Pool } from 'workerpool';
import { oneLine } from '../../error-text.js';
import type { SweepExecutor, RunOutcome, SweepJob } from '../../sweep/index.js';
import { BYTES_PER_MIB, PS_PER_MS } from '../../units.js';
import { withSourceHashesOfFiles } from '../algorithms/algorithms-of-scenario.js';
import type { Warn } from '../write-file.js';
import { SWEEP_WORKER_FILE } from '../shipped-files.js';
import { cachedExecutor, RunCache } from './run-cache.js';
import type { RunnerFlags } from './runner-options.js';

const MEMORY_SHARE = 0.8;

export interface Runner {
  readonly execute: SweepExecutor;
  /** Maximum number of runs in progress. */
  readonly atOnce: number;
  /** Terminates all workers, even during a run. */
  readonly close: () => Promise<void>;
}

export interface RunnerOptions {
  readonly flags: RunnerFlags;
  /** Version of the package; the cache of another version is not used. */
  readonly version: string;
  readonly workers: number;
  readonly warn: Warn;
  /** Called for each run taken from the cache. */
  readonly onKnown: () => void;
}

/** Starts worker threads in this process. @throws system errors, which name the folder of the cache. */
export function openRunner(options: RunnerOptions): Runner {
  const { flags, workers } = options;
  const pool = new RunPool({
    workers,
    maxMemoryBytes: maxMemoryOf(flags),
    timeLimitMs: flags.timeLimit === undefined ? undefined : flags.timeLimit / PS_PER_MS,
  });
  return withCache({ execute: pool.execute, atOnce: workers, close: () => pool.close() }, options);
}

/** Adds the cache to a runner, unless it is disabled. */
export function withCache(runner: Runner, { flags, version, warn, onKnown }: RunnerOptions): Runner {
  const cache = openCache(flags, version, warn);
  const execute = cache === undefined ? runner.execute : cachedExecutor(runner.execute, cache, onKnown);
  return { atOnce: runner.atOnce, execute: withSources(execute), close: runner.close };
}

/** Adds the source hashes of custom algorithms to jobs, so that the cache never returns a run of other code. */
function withSources(execute: SweepExecutor): SweepExecutor {
  return async (job, run) => await execute({ ...job, scenario: withSourceHashesOfFiles(job.scenario) }, run);
}

/** Number of workers, at most the number of runs. */
export function workersOf({ workers }: RunnerFlags, runs: number): number {
  return Math.max(1, Math.min(workers ?? availableParallelism(), runs));
}

/** Memory of all workers together, bytes. */
export function maxMemoryOf({ maxMemory }: RunnerFlags): number {
  return maxMemory ?? MEMORY_SHARE * totalmem();
}

function openCache({ cache, cacheSize }: RunnerFlags, version: string, warn: Warn): RunCache | undefined {
  if (cache === false) return undefined;
  const usual = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'roce-cc');
  return new RunCache({ folder: typeof cache === 'string' ? cache : usual, maxBytes: cacheSize, version, warn });
}

/** Limits of the runs. */
interface PoolOptions {
  readonly workers: number;
  /** Memory of all workers together, bytes. */
  readonly maxMemoryBytes: number;
  /** Time limit of a run; undefined = none. */
  readonly timeLimitMs: number | undefined;
}

const LEAST_HEAP_MIB = 64;

/**
 * A pool of workers; a worker that dies is replaced. Never submit more runs than there are workers: workerpool (10.0.3)
 * loses queued tasks when a thread runs out of memory, because its error and exit events arrive together.
 */
class RunPool {
  readonly #pool: Pool;
  readonly #options: PoolOptions;
  readonly #perWorkerBytes: number;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#perWorkerBytes = Math.floor(options.maxMemoryBytes / options.workers);
    const maxOldGenerationSizeMb = Math.max(LEAST_HEAP_MIB, Math.floor(this.#perWorkerBytes / BYTES_PER_MIB));
    this.#pool = workerpool.pool(SWEEP_WORKER_FILE, {
      maxWorkers: options.workers,
      workerType: 'thread',
      workerThreadOpts: { resourceLimits: { maxOldGenerationSizeMb } },
    });
  }

  readonly execute: SweepExecutor = async (job: SweepJob): Promise<RunOutcome> => {
    const { timeLimitMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const endLate = (): void => {
      isLate = true;
      task.cancel();
    };
    const task = this.#pool.exec('run', [job, this.#perWorkerBytes], {
      on: () => {
        if (timeLimitMs !== undefined) timer = setTimeout(endLate, timeLimitMs);
      },
    });
    try {
      return await task as RunOutcome;
    } catch (error) {
      return isLate ?
        { ended: 'out-of-time', reason: `took longer than ${(timeLimitMs ?? 0) / 1000} s` } :
        failureOf(error);
    } finally {
      clearTimeout(timer);
    }
  };

  /** Terminates all workers, even during a run. */
  async close(): Promise<void> {
    await this.#pool.terminate(true);
  }
}

/** The outcome of a run whose worker returned none. */
function failureOf(error: unknown): RunOutcome {
  if (hasCode(error) && error.cause.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return { ended: 'out-of-memory', reason: 'needed more memory than a worker has' };
  return { ended: 'crashed', reason: oneLine(error instanceof Error ? error.message : String(error)) };
}

/** Whether the error has a cause with a code: workerpool wraps Node's error of a thread. */
function hasCode(error: unknown): error is { readonly cause: { readonly code: unknown } } {
  return error instanceof Error && error.cause instanceof Error && 'code' in error.cause;
}
