/**
 * Connects to Redis, names keys and queues there, and stores sweeps, so that they can be continued by name, on any
 * machine and without the file. The URL contains user, password and TLS (`rediss:`), so messages name only host and port.
 */
import type { Redis } from 'ioredis';
import type * as BullMq from 'bullmq';
import { createHash } from 'node:crypto';
import { RoceError } from '../../errors.js';
import { SIM_WASM_HASH } from '../../sim/kernel/wasm-bytes.js';
import { canonicalJson } from '../sweep/run-cache.js';

const PROTOCOLS = ['redis:', 'rediss:'];
const CONNECT_MS = 5000;
const RETRY_MOST_MS = 2000;
const RESTARTING = /\bLOADING\b|Connection is closed|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT/;
/** Prefix of the keys in which workers describe themselves. A key expires unless its worker renews it. */
export const WORKER_KEYS = 'roce-cc-worker-';
export const WORKER_KEY_SECONDS = 15;
const SWEEP_KEYS = 'roce-cc-sweep-';
/** Sweeps are kept as long as results. */
const KEPT_SECONDS = 86_400;
const SWEEP_NAME_DIGITS = 16;
const SWEEP_NAME_PATTERN = /^[0-9a-f]{16}$/;

export interface RedisPeers {
  readonly bullmq: typeof BullMq;
  readonly ioredis: { readonly Redis: typeof Redis };
}

/** A worker's description of itself. */
export interface WorkerFacts {
  readonly version: string;
  readonly wasm: string;
  /** Number of parallel runs. */
  readonly workers: number;
}

/** Connection settings for BullMQ. Commands are retried forever, since a restarted Redis becomes available again. */
export function connectionOf(
  url: string,
): { url: string; maxRetriesPerRequest: null; retryStrategy: (times: number) => number } {
  return { url, maxRetriesPerRequest: null, retryStrategy: (times) => Math.min(RETRY_MOST_MS, 100 * times) };
}

/** @throws RoceError `invalid-argument` for an invalid URL. */
export function checkUrl(text: string): string {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // Reported below, without the text, which may contain a password.
  }
  if (url !== undefined && PROTOCOLS.includes(url.protocol) && url.hostname !== '') return text;
  const allowed = 'such as redis://localhost:6379 or rediss://user:password@host:6380';
  throw new RoceError('invalid-argument', {
    what: 'the Redis URL',
    problem: 'is invalid',
    allowed,
    where: '--redis',
  });
}

/** Host and port of the URL, for messages. */
export function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port === '' ? '6379' : port}`;
}

/** Opens a connection and checks that Redis responds. @throws RoceError `unsupported` if it does not. */
export async function connect(url: string, { ioredis }: RedisPeers): Promise<Redis> {
  const client = new ioredis.Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    connectTimeout: CONNECT_MS,
    retryStrategy: () => null,
  });
  let cause: unknown;
  client.on('error', (error: unknown) => {
    cause ??= error;
  });
  try {
    await client.connect();
    await client.ping();
    client.options.retryStrategy = (times) => Math.min(RETRY_MOST_MS, 100 * times);
    return client;
  } catch (error) {
    client.disconnect();
    const problem = 'does not respond';
    throw new RoceError('unsupported', {
      what: `the Redis at ${placeOf(url)}`,
      problem,
      cause: cause ?? error,
      where: '--redis',
    });
  }
}

/**
 * Loads BullMQ and ioredis, which are optional peer dependencies, only when Redis is used.
 *
 * @throws RoceError `unsupported` if they are not installed.
 */
export async function loadPeers(): Promise<RedisPeers> {
  try {
    const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, ioredis };
  } catch (error) {
    const hint = 'Install them next to roce-cc: npm install bullmq ioredis';
    throw new RoceError('unsupported', {
      what: '--redis',
      problem: 'needs the packages bullmq and ioredis',
      cause: error,
      where: '--redis',
      hint,
    });
  }
}

/** Recognises the errors of ioredis and Redis while Redis restarts; other errors end a sweep. */
export function isRestarting(error: unknown): boolean {
  return RESTARTING.test(String(error));
}

/** Name of the queue: of one version and one sim.wasm, so no other worker takes its jobs. */
export function queueName(version: string): string {
  return `roce-cc-${version}-${SIM_WASM_HASH}`;
}

/** Facts of a worker of this program. */
export function ownFacts(version: string, workers: number): WorkerFacts {
  return { version, wasm: SIM_WASM_HASH, workers };
}

/** Stores a sweep and its base scenario; returns its name. @throws RoceError if no Redis responds. */
export async function keepSweep(url: string, whole: unknown): Promise<string> {
  const text = canonicalJson(whole);
  const name = createHash('sha256').update(text).digest('hex').slice(0, SWEEP_NAME_DIGITS);
  await withRedis(url, (client) => client.set(`${SWEEP_KEYS}${name}`, text, 'EX', KEPT_SECONDS));
  return name;
}

/**
 * Reads a stored sweep.
 *
 * @param name as returned by `keepSweep`; undefined: the only stored sweep.
 * @returns its name and JSON text.
 * @throws RoceError if no Redis responds, or the sweep does not exist.
 */
export async function readKeptSweep(url: string, name: string | undefined): Promise<{ name: string; text: string }> {
  return withRedis(url, async (client) => {
    const names = (await client.keys(`${SWEEP_KEYS}*`)).map((key) => key.slice(SWEEP_KEYS.length)).sort();
    const [only] = names;
    const wanted = name ?? (names.length === 1 ? only : undefined);
    const text = wanted === undefined || !SWEEP_NAME_PATTERN.test(wanted) ?
      null :
      await client.get(`${SWEEP_KEYS}${wanted}`);
    if (wanted !== undefined && text !== null) return { name: wanted, text };
    const allowed = names.length === 0 ? 'the name of a stored sweep, but Redis has none' : names;
    throw new RoceError('invalid-argument', { what: 'the sweep', got: name, allowed, where: '--attach' });
  });
}

async function withRedis<T>(url: string, use: (client: Redis) => Promise<T>): Promise<T> {
  const client = await connect(checkUrl(url), await loadPeers());
  try {
    return await use(client);
  } finally {
    client.disconnect();
  }
}
