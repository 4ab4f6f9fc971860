/** Runs `roce-cc worker`, which takes runs from a queue until a signal ends it. */
import { randomUUID } from 'node:crypto';
import type { Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { oneLine } from '../../error-text.js';
import { RoceError } from '../../errors.js';
import { checkJob } from '../../sweep/check-sweep.js';
import type { PlannedRun, RunOutcome, SweepJob } from '../../sweep/index.js';
import { Failures, type Output } from '../output.js';
import { printable } from '../printable.js';
import { runKey } from '../sweep/run-cache.js';
import type { RunnerFlags } from '../sweep/runner-options.js';
import { openRunner, workersOf, type Runner } from '../sweep/runner.js';
import { checkUrl, connect, connectionOf, placeOf, loadPeers, ownFacts, queueName, WORKER_KEY_SECONDS, WORKER_KEYS,
  type WorkerFacts } from './connection.js';

/** Options of the command, as commander passes them. */
export interface WorkerFlags extends RunnerFlags {
  readonly redis: string;
}

/** A worker that does not renew its lock for this long counts as dead; another one takes over its runs. */
const LOCK_MS = 10_000;
const LOOK_FOR_DEAD_MS = 3000;
/** Retries of a run whose worker dies: three attempts in total. */
const STALLS_MAX = 2;
const MS_PER_SECOND = 1000;

/**
 * Takes runs until SIGINT or SIGTERM, then finishes those in progress.
 *
 * @returns the exit code.
 * @throws RoceError if packages are missing, or no Redis responds.
 */
export async function runWorkerCommand(flags: WorkerFlags, output: Output, version: string): Promise<number> {
  const url = checkUrl(flags.redis);
  const peers = await loadPeers();
  const client = await connect(url, peers);
  const failures = new Failures();
  const workers = workersOf(flags, Infinity);
  const runner = openRunner({ flags, version, workers, warn: failures.add, onKnown: () => undefined });
  const say = (line: string): void => {
    if (flags.quiet !== true) output.stderr.write(`roce-cc worker: ${printable(line)}\n`);
  };
  const worker = new peers.bullmq.Worker(queueName(version), (job: Job) => outcomeOf(job, runner, version), {
    connection: connectionOf(url),
    concurrency: workers,
    lockDuration: LOCK_MS,
    stalledInterval: LOOK_FOR_DEAD_MS,
    maxStalledCount: STALLS_MAX,
  });
  reportErrors(worker, say);
  const stopAnnouncing = announceWorker(client, ownFacts(version, workers));
  say(`running up to ${workers} jobs at once from ${placeOf(url)}, version ${version}`);
  await untilEnded();
  say('finishing the runs in progress');
  await worker.close();
  await stopAnnouncing();
  await runner.close();
  client.disconnect();
  return failures.report(output);
}

/** Runs a job. Jobs come from the network, so one that is invalid or of another version yields a failed outcome. */
async function outcomeOf(job: Job, runner: Runner, version: string): Promise<RunOutcome> {
  const data = job.data as SweepJob;
  try {
    checkJob(data);
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    return { ended: 'failed', reason: error.message };
  }
  if (job.id !== runKey(data, version))
    return { ended: 'failed', reason: 'the name of the job does not match its content' };
  return runner.execute(data, {} as PlannedRun);
}

/** Reports an error once per outage of Redis. */
function reportErrors(worker: Worker, say: (line: string) => void): void {
  let isAway = false;
  worker.on('error', (error) => {
    if (!isAway) say(oneLine(error.message));
    isAway = true;
  });
  worker.on('active', () => {
    isAway = false;
  });
}

function announceWorker(client: Redis, facts: WorkerFacts): () => Promise<void> {
  const key = `${WORKER_KEYS}${randomUUID()}`;
  const announce = (): void => {
    client.set(key, JSON.stringify(facts), 'EX', WORKER_KEY_SECONDS).catch(() => undefined);
  };
  announce();
  const timer = setInterval(announce, (WORKER_KEY_SECONDS * MS_PER_SECOND) / 3);
  return async () => {
    clearInterval(timer);
    await client.del(key).catch(() => undefined);
  };
}

/** Resolves on the first signal; a second one ends the process at once. */
function untilEnded(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve();
      });
    }
  });
}
