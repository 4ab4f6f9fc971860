/**
 * Loads BullMQ and ioredis, which are optional peer dependencies, only when Redis is used; reports clearly if they are
 * missing.
 */
import type * as BullMq from 'bullmq';
import type { Redis } from 'ioredis';
import { RoceError } from '../../errors.js';

export interface RedisPeers {
  readonly bullmq: typeof BullMq;
  readonly ioredis: { readonly Redis: typeof Redis };
}

/** @throws RoceError `unsupported` if they are not installed. */
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
