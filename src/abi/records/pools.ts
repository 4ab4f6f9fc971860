/** Memory that lossy classes share by queue (`service-pools`); only in plans with pools. */
import { defineRecord, f64, free, u32 } from './define-record.js';

/** Pool of the lossy classes of a node. */
export const POOL = /* @__PURE__ */ defineRecord('Pool', 32, {
  /** Its shared part. */
  sharedBytes: u32,
  /** Reserve of each queue. */
  reservedBytes: u32,
  alpha: f64,
  /** Bit per class. */
  lossyClasses: u32,
  /** Bytes of the shared part in use. */
  usedBytes: u32,
  /** The most that were in use. */
  mostUsedBytes: u32,
  free28: free(4),
});
