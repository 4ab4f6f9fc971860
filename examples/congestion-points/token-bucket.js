/**
 * A token bucket in a state with the numbers `tokens` and `lastPs`: one token is the right to send one packet.
 *
 *   refill  tokens = min(burst, tokens + (now - last) rate / 10^12), last = now
 *   spend   tokens -= 1, only if tokens >= 1
 *
 * `FULL` is a bucket that was never used: whatever its burst is, it is full at instant 0.
 */
const PS_PER_SECOND = 1e12;

/** Initial state of a bucket. */
export const FULL = { tokens: Infinity, lastPs: 0 };

/** Brings a bucket up to now. */
export function refill(bucket, nowPs, ratePerSecond, burst) {
  const elapsedPs = nowPs - bucket.lastPs;
  const tokens = elapsedPs > 0 ? bucket.tokens + (elapsedPs * ratePerSecond) / PS_PER_SECOND : bucket.tokens;
  bucket.tokens = tokens < burst ? tokens : burst;
  if (elapsedPs > 0) bucket.lastPs = nowPs;
}

/** Takes a token of each bucket, or none. @returns whether there was one in each. */
export function spend(...buckets) {
  if (buckets.some((bucket) => bucket.tokens < 1)) return false;
  for (const bucket of buckets) bucket.tokens -= 1;
  return true;
}
