/** Runs scenarios on worker threads, with a cache. */
import { availableParallelism, homedir, totalmem } from 'node:os';
import path from 'node:path';
import type { SweepExecutor } from '../../sweep/index.js';
import { PS_PER_MS } from '../../unit-sizes.js';
import type { Warn } from '../kept-file.js';
import { withSourceHashesOfFiles } from '../algorithms/algorithms-of-scenario.js';
import { cachedExecutor } from './cached-executor.js';
import { RunCache } from './run-cache.js';
import { RunPool } from './run-pool.js';
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
