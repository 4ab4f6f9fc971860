/** Switch memory in two pools, in the form that the kernel reads. */
export { sharedOfPool } from '../../../switching/shared-buffer.js';

/** The pool of lossy classes, shared by their egress queues. */
export interface PoolPlan {
  /** Bit c: class c is lossy and in use. */
  readonly lossyClasses: number;
  /** Dynamic threshold: beyond its reserve, a queue may take alpha times the free part of the pool. */
  readonly alpha: number;
  /** Bytes reserved for each port and lossy class. */
  readonly reservedBytes: number;
  /** Size of each switch's pool, reserves included. The rest of the switch's memory belongs to lossless classes. */
  readonly lossyBytes: number;
}
