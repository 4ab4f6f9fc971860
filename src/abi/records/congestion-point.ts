/**
 * The congestion point of a switch. Its record is followed by the token buckets of the ports, then those of the flows.
 */
import { defineRecord, u32, f64, free, part } from './define-record.js';

/** State of a generator of random numbers (xoshiro128**), of a congestion point or a balancer; never all zero. */
export const RANDOM = /* @__PURE__ */ defineRecord('Random', 16, {
  s0: u32,
  s1: u32,
  s2: u32,
  s3: u32,
});

/** Configuration, written by the host, then state. */
export const CONGESTION_POINT = /* @__PURE__ */ defineRecord('CongestionPoint', 96, {
  kminBytes: f64,
  kmaxBytes: f64,
  pmax: f64,
  /** Tokens per second of each flow's bucket. */
  flowRatePerSecond: f64,
  /** Capacity of each flow's bucket, tokens. */
  flowBurst: f64,
  /** Tokens per second of each port's bucket. */
  portRatePerSecond: f64,
  /** Capacity of each port's bucket, tokens. */
  portBurst: f64,
  /** Bits CP_SWITCH_*. */
  switches: u32,
  seed: u32,
  random: part(RANDOM),
  /** Number of ports. */
  ports: u32,
  /** Number of flows. */
  flows: u32,
  free88: free(8),
});

/** Token bucket: each Fast CNP takes one token. */
export const TOKEN_BUCKET = /* @__PURE__ */ defineRecord('TokenBucket', 16, {
  tokens: f64,
  /** Time of the last refill. */
  lastPs: f64,
});
