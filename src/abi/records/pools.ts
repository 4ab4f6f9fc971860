/** Memory shared by the queues of lossy classes (`service-pools`); only in plans with pools. */
import { defineRecord, f64, free, u32 } from './define-record.js';

/** A node's pool for lossy classes. */
export const POOL = /* @__PURE__ */ defineRecord('Pool', 32, {
  /** Size of its shared part. */
  sharedBytes: u32,
  /** Reserve of each queue. */
  reservedBytes: u32,
  alpha: f64,
  /** Bit per lossy class. */
  lossyClasses: u32,
  /** Bytes of the shared part in use. */
  usedBytes: u32,
  /** Maximum of `usedBytes` so far. */
  mostUsedBytes: u32,
  free28: free(4),
});
