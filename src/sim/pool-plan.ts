/** Memory of switches in two pools, as the kernel is given it. */

/** The pool of lossy classes, which they share by queue. */
export interface PoolPlan {
  /** Bit c: class c is lossy, and in use. */
  readonly lossyClasses: number;
  /** A queue's limit in the free part. */
  readonly alpha: number;
  /** Of each port and lossy class, not shared. */
  readonly reservedBytes: number;
  /** Of each switch: bytes of the pool, with what is reserved. The rest of its memory is that of lossless classes. */
  readonly lossyBytes: number;
}

/** What of the pool is shared, after the reserves of all queues. */
export function sharedOfPool({ lossyBytes, reservedBytes, lossyClasses }: PoolPlan, ports: number): number {
  return lossyBytes - reservedBytes * ports * classCount(lossyClasses);
}

function classCount(classes: number): number {
  let count = 0;
  for (let left = classes; left > 0; left >>>= 1) count += left & 1;
  return count;
}
