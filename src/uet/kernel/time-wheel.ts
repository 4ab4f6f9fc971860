/**
 * Size of the kernel's time wheel: buckets short enough that few events share one, and enough of them for the usual delays
 * of a packet. The size never changes results.
 */
import { psPerByte } from '../switch-queue.js';
import type { UetPlan } from './run-plan.js';

const BITS_MIN = 12;
const BITS_MAX = 16;
const BUCKETS_PER_LINK = 8;
/** Longer buckets would hold too many events in a large network. Events beyond the wheel wait in the heap. */
const BUCKET_BITS_MAX = 9;

/** Returns log2 of the number of buckets, and of the picoseconds per bucket. */
export function timeWheel({ tree, parameters }: UetPlan, links: number): { wheelBits: number; bucketBits: number } {
  const wheelBits = Math.min(Math.max(Math.ceil(Math.log2(BUCKETS_PER_LINK * links)), BITS_MIN), BITS_MAX);
  const delaysPs = tree.tiers.flatMap(({ rateBps, latencyPs, switchLatencyPs }) => [
    parameters.mtuBytes * psPerByte(rateBps),
    latencyPs,
    switchLatencyPs,
  ]);
  const bucketBits = Math.floor(Math.log2(Math.max(1, ...delaysPs))) + 1 - wheelBits;
  return { wheelBits, bucketBits: Math.min(Math.max(bucketBits, 0), BUCKET_BITS_MAX) };
}
