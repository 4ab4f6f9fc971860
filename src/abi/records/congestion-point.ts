/** The congestion point of a switch. Token buckets of ports, then those of flows, follow its record. */
import { defineRecord, f64, free, part, u32 } from './define-record.js';
import { RANDOM } from './random.js';

/** Configuration, by the host, then state. */
export const CONGESTION_POINT = /* @__PURE__ */ defineRecord('CongestionPoint', 96, {
  kminBytes: f64,
  kmaxBytes: f64,
  pmax: f64,
  /** Tokens. */
  flowRatePerSecond: f64,
  /** Tokens. */
  flowBurst: f64,
  /** Tokens. */
  portRatePerSecond: f64,
  /** Tokens. */
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

/** Token bucket: one token is the right to send one packet. */
export const TOKEN_BUCKET = /* @__PURE__ */ defineRecord('TokenBucket', 16, {
  tokens: f64,
  /** Time of the last refill. */
  lastPs: f64,
});
