/** Stores sweeps in Redis, so that they can be continued by name, on any machine and without the file. */
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { RoceError } from '../../errors.js';
import { canonicalJson } from '../sweep/run-cache.js';
import { checkUrl, connect, loadPeers } from './connection.js';

const KEYS = 'roce-cc-sweep-';
/** The same time as results are kept. */
const KEPT_SECONDS = 86_400;
const NAME_DIGITS = 16;
const NAME_PATTERN = /^[0-9a-f]{16}$/;

/** Stores a sweep and its base scenario; returns its name. @throws RoceError if no Redis responds. */
export async function keepSweep(url: string, whole: unknown): Promise<string> {
  const text = canonicalJson(whole);
  const name = createHash('sha256').update(text).digest('hex').slice(0, NAME_DIGITS);
  await withRedis(url, (client) => client.set(`${KEYS}${name}`, text, 'EX', KEPT_SECONDS));
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
    const names = (await client.keys(`${KEYS}*`)).map((key) => key.slice(KEYS.length)).sort();
    const [only] = names;
    const wanted = name ?? (names.length === 1 ? only : undefined);
    const text = wanted === undefined || !NAME_PATTERN.test(wanted) ? null : await client.get(`${KEYS}${wanted}`);
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
