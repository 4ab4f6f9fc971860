/** Size of an engine, which the host states from CAPACITY_ADDRESS on (layout.ts) before `initialise`. */
import { defineSlots, u32 } from './define-record.js';

/** Up to `frameBytes` a larger engine can restore the state of a smaller one; the others must be equal. */
export const CAPACITY = /* @__PURE__ */ defineSlots('CAPACITY', u32, {
  qps: 1,
  endpoints: 1,
  /** Addresses of all endpoints. */
  addresses: 1,
  /** Events of one batch. */
  events: 1,
  /** Frames of one batch. */
  packets: 1,
  /** Bytes of all frames of a batch. */
  frameBytes: 1,
  /** Ranges of the access list. */
  accessRanges: 1,
  /** Bits FEATURE_* (src/abi/codes.ts). */
  features: 1,
  /** Hops that a QP keeps, and most hops of an acknowledgement. */
  hops: 1,
  /** Bytes of the tables of parameter sets and of known ports. */
  tableBytes: 1,
  /** Records of rate changes; 0 = no trace. */
  traceRecords: 1,
  /** Bytes of the regions of modules with custom algorithms. */
  moduleBytes: 1,
  free12: 4,
});
