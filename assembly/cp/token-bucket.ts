/**
 * Token bucket: one token is the right to send one packet.
 *
 * Role     rate limit of Fast CNP generation against denial of service (Fast CNP draft, section 5: recommended).
 * Inputs   now (picoseconds), rate (tokens per second), burst (capacity, tokens).
 * State    tokens (f64, 0 .. burst), time of the last refill.
 * Equation refill: tokens = min(burst, tokens + (now - last) rate / 10^12), last = now
 *          spend:  tokens -= 1, only if tokens >= 1
 * So tokens are never negative. If now is before the last refill, nothing changes, so no interval is counted twice.
 *
 * Deviation  f64 sums of many partial refills are rounded: a token may come up to one refill later than in exact arithmetic.
 */
import { TokenBucket } from '../records/congestion-point';

const PS_PER_SECOND: f64 = 1e12;

/** Fills a bucket at time 0. */
export function fillBucket(bucket: TokenBucket, burst: f64): void {
  bucket.tokens = burst;
  bucket.lastPs = 0.0;
}

export function refillBucket(bucket: TokenBucket, nowPs: f64, ratePerSecond: f64, burst: f64): void {
  const elapsedPs = nowPs - bucket.lastPs;
  if (elapsedPs <= 0.0) return;
  const tokens = bucket.tokens + elapsedPs * ratePerSecond / PS_PER_SECOND;
  bucket.tokens = tokens < burst ? tokens : burst;
  bucket.lastPs = nowPs;
}

@inline
export function hasToken(bucket: TokenBucket): bool {
  return bucket.tokens >= 1.0;
}

@inline
export function consumeToken(bucket: TokenBucket): void {
  bucket.tokens -= 1.0;
}
