/** Memory of switches in two pools, in the form that the kernel reads. */
export { sharedOfPool } from '../../../switching/lossy-pool.js';

/** The pool of lossy classes, which they share by queue. */
export interface PoolPlan {
  /** Bit c: class c is lossy, and in use. */
  readonly lossyClasses: number;
  /** A queue's limit in the free part. */
  readonly alpha: number;
  /** Of each port and lossy class, not shared. */
  readonly reservedBytes: number;
  /** Of each switch: bytes of the pool, reserves included. The rest of its memory is that of lossless classes. */
  readonly lossyBytes: number;
}
