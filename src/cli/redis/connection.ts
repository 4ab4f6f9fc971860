/**
 * Connects to Redis, and names keys and queues there. The URL contains user, password and TLS (`rediss:`), so messages
 * name only host and port.
 */
import type { Redis } from 'ioredis';
import type * as BullMq from 'bullmq';
import { RoceError } from '../../errors.js';
import { SIM_WASM_HASH } from '../../sim/kernel/wasm-bytes.js';

const PROTOCOLS = ['redis:', 'rediss:'];
const CONNECT_MS = 5000;
const RETRY_MOST_MS = 2000;

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

export interface RedisPeers {
  readonly bullmq: typeof BullMq;
  readonly ioredis: { readonly Redis: typeof Redis };
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
const RESTARTING = /\bLOADING\b|Connection is closed|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT/;

export function isRestarting(error: unknown): boolean {
  return RESTARTING.test(String(error));
}

/** Name of the queue: of one version and one sim.wasm, so no other worker takes its jobs. */
export function queueName(version: string): string {
  return `roce-cc-${version}-${SIM_WASM_HASH}`;
}

/** Prefix of the keys in which workers describe themselves. A key expires unless its worker renews it. */
export const WORKER_KEYS = 'roce-cc-worker-';
export const WORKER_KEY_SECONDS = 15;

/** A worker's description of itself. */
export interface WorkerFacts {
  readonly version: string;
  readonly wasm: string;
  /** Number of parallel runs. */
  readonly workers: number;
}

export function ownFacts(version: string, workers: number): WorkerFacts {
  return { version, wasm: SIM_WASM_HASH, workers };
}
