/** Capacity of an engine, written by the host at CAPACITY_ADDRESS (layout.ts) before `initialise`. */
import { defineSlots, u32 } from './define-record.js';

/**
 * A larger engine can restore the state of one with smaller capacities up to `frameBytes`; the later fields must be
 * equal.
 */
export const CAPACITY = /* @__PURE__ */ defineSlots('CAPACITY', u32, {
  qps: 1,
  endpoints: 1,
  /** Total number of addresses of all endpoints. */
  addresses: 1,
  /** Maximum events per batch. */
  events: 1,
  /** Maximum frames per batch. */
  packets: 1,
  /** Maximum bytes of all frames of a batch. */
  frameBytes: 1,
  /** Number of access-list ranges. */
  accessRanges: 1,
  /** FEATURE_* bits (src/abi/codes.ts). */
  features: 1,
  /** Hops kept per QP, also the maximum per acknowledgement. */
  hops: 1,
  /** Bytes of the tables of parameter sets and of known ports. */
  tableBytes: 1,
  /** Maximum number of rate-change records; 0 = no trace. */
  traceRecords: 1,
  /** Bytes of the memory regions of modules with custom algorithms. */
  moduleBytes: 1,
  free12: 4,
});
