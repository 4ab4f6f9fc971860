/** Runs a sweep on worker threads, one per core, each with its share of memory. */
import workerpool, { type Pool } from 'workerpool';
import { oneLine } from '../../error-text.js';
import type { RunOutcome, SweepExecutor, SweepJob } from '../../sweep/index.js';
import { BYTES_PER_MIB } from '../../unit-sizes.js';
import { SWEEP_WORKER_FILE } from '../sweep-worker-file.js';

/** Limits of the runs. */
export interface PoolOptions {
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
export class RunPool {
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
