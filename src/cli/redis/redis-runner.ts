/**
 * Runs a sweep on any number of machines, as jobs in a BullMQ queue. A job's id is a hash of everything that its result
 * depends on: adding a job twice has no effect, and results of earlier or interrupted sweeps are reused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import { oneLine } from '../../error-text.js';
import type { RunOutcome, SweepExecutor, SweepJob } from '../../sweep/index.js';
import type { Warn } from '../write-file.js';
import type { Runner } from '../sweep/runner.js';
import { runKey } from '../sweep/run-cache.js';
import { isRestarting, checkUrl, connect, connectionOf, loadPeers, type RedisPeers, ownFacts, queueName, WORKER_KEYS,
  type WorkerFacts } from './connection.js';

/** Maximum number of jobs waiting or running: enough for many machines, but few enough to remove quickly on cancel. */
const AT_ONCE = 256;
/** Polling interval for the state of jobs, as events may be lost while Redis restarts. */
const ASK_EVERY_MS = 1000;
const KEPT = { age: 86_400, count: 100_000 };

interface RedisRunnerOptions {
  readonly url: string;
  readonly version: string;
  readonly warn: Warn;
  /** Prints a line during the sweep. */
  readonly say: (line: string) => void;
}

/** @throws RoceError if the packages are missing, or no Redis responds. */
export async function openRedisRunner({ url, version, warn, say }: RedisRunnerOptions): Promise<Runner> {
  checkUrl(url);
  const peers = await loadPeers();
  const client = await connect(url, peers);
  await reportWorkers(client, version, say);
  return new RedisRunner(url, version, peers, client, warn);
}

/** A job in the queue, with the callers that wait for it. */
interface HandedOut {
  readonly job: SweepJob;
  readonly resolves: ((outcome: RunOutcome) => void)[];
}

class RedisRunner implements Runner {
  readonly atOnce = AT_ONCE;
  readonly #version: string;
  readonly #client: Redis;
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #timer: NodeJS.Timeout;
  /** Jobs in the queue, by id. */
  readonly #waiting = new Map<string, HandedOut>();
  #isAsking = false;
  #isClosed = false;

  constructor(url: string, version: string, { bullmq }: RedisPeers, client: Redis, warn: Warn) {
    this.#version = version;
    this.#client = client;
    const connection = connectionOf(url);
    this.#queue = new bullmq.Queue(queueName(version), { connection });
    this.#events = new bullmq.QueueEvents(queueName(version), { connection });
    let hasWarned = false;
    const onError = (error: Error): void => {
      if (!hasWarned) warn(`Redis was unavailable for a while: ${oneLine(error.message)}`);
      hasWarned = true;
    };
    this.#queue.on('error', onError);
    this.#events.on('error', onError);
    const onEvent = ({ jobId }: { readonly jobId: string }): void => {
      void this.#ask(jobId).catch(onError);
    };
    this.#events.on('completed', onEvent);
    this.#events.on('failed', onEvent);
    this.#timer = setInterval(() => {
      void this.#askAll().catch(onError);
    }, ASK_EVERY_MS);
  }

  readonly execute: SweepExecutor = async (job) => {
    const id = runKey(job, this.#version);
    await this.#retrying(() => this.#forgetFailure(id));
    const outcome = new Promise<RunOutcome>((resolve) => {
      const handedOut = this.#waiting.get(id) ?? { job, resolves: [] };
      handedOut.resolves.push(resolve);
      this.#waiting.set(id, handedOut);
    });
    await this.#retrying(() => this.#add(id, job));
    await this.#retrying(() => this.#ask(id));
    return outcome;
  };

  /** Removes a failed run of an earlier sweep, so that it is tried again. */
  async #forgetFailure(id: string): Promise<void> {
    const before = await this.#queue.getJob(id);
    if (before !== undefined && await before.isFailed()) await before.remove();
  }

  /** Retries an operation while Redis is unavailable or restarting. */
  async #retrying(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        if (this.#isClosed || !isRestarting(error)) throw error;
        await sleep(ASK_EVERY_MS);
      }
    }
  }

  async #add(id: string, job: SweepJob): Promise<void> {
    await this.#queue.add('run', job, { jobId: id, attempts: 1, removeOnComplete: KEPT, removeOnFail: KEPT });
  }

  /** Removes the jobs that no worker has begun. */
  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await Promise.all([...this.#waiting.keys()].map((id) => this.#queue.remove(id).catch(() => undefined)));
    await Promise.all([this.#queue.close(), this.#events.close()]);
    this.#client.disconnect();
  };

  /** Polls all waiting jobs; skipped if the previous poll has not finished. */
  async #askAll(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      for (const id of [...this.#waiting.keys()]) await this.#ask(id);
    } finally {
      this.#isAsking = false;
    }
  }

  async #ask(id: string): Promise<void> {
    const handedOut = this.#waiting.get(id);
    if (handedOut === undefined) return;
    // Query the state before the outcome: otherwise a run that ends between the two queries would seem to have none.
    const state = await this.#queue.getJobState(id);
    if (state === 'unknown') {
      // After a power failure Redis may have lost the last second of writes.
      await this.#add(id, handedOut.job);
      return;
    }
    if (state !== 'completed' && state !== 'failed') return;
    const job = await this.#queue.getJob(id);
    if (job === undefined) return;
    if (state === 'completed') this.#resolve(id, job.returnvalue as RunOutcome);
    else this.#resolve(id, { ended: 'crashed', reason: oneLine(job.failedReason ?? 'failed') });
  }

  #resolve(id: string, outcome: RunOutcome): void {
    const resolves = this.#waiting.get(id)?.resolves ?? [];
    this.#waiting.delete(id);
    for (const resolve of resolves) resolve(outcome);
  }
}

/** Reports if no worker is connected, and workers of another version, which take no jobs of this sweep. */
async function reportWorkers(client: Redis, version: string, say: (line: string) => void): Promise<void> {
  const own = ownFacts(version, 0);
  const all = await workersOn(client);
  const others = all.filter((worker) => worker.version !== own.version || worker.wasm !== own.wasm);
  const count = all.length - others.length;
  if (count === 0) say('No worker of this version is connected yet. Start one with: roce-cc worker --redis URL');
  for (const { version: theirs, wasm } of others) {
    const what = theirs === own.version ?
      `sim.wasm ${wasm}, but this sweep needs ${own.wasm}` :
      `version ${theirs}, but this sweep needs ${own.version}`;
    say(`A worker has ${what}: it will take no runs of this sweep.`);
  }
}

async function workersOn(client: Redis): Promise<WorkerFacts[]> {
  const keys = await client.keys(`${WORKER_KEYS}*`);
  const texts = keys.length === 0 ? [] : await client.mget(keys);
  return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as WorkerFacts]));
}
