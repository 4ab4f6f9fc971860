/**
 * Memory that lossy classes share by queue (egress port and class).
 *
 *   shared use of a queue   max(0, its bytes - reserve)          in use   sum of these over all lossy queues
 *   limit                   alpha (shared part - in use)
 *   admit                   shared use with the packet <= limit, and its increase <= the free shared bytes
 *
 * Only the bytes of each queue are kept; sums are recomputed for each packet.
 * Source: docs/reference/sources.md, "Pools of a switch".
 */
import { CLASS_COUNT } from './classes.js';

/** Sizes of a switch's pool for lossy classes. */
export interface LossyPoolSizes {
  /** Bit c is set if class c is lossy. */
  readonly lossyClasses: number;
  /** A queue's limit, as a multiple of the free part. */
  readonly alpha: number;
  /** Reserved per port and lossy class, not shared. */
  readonly reservedBytes: number;
  /** Size of the pool, reserves included. */
  readonly lossyBytes: number;
}

/** The shared part of the pool: without the reserves of all queues. */
export function sharedOfPool({ lossyBytes, reservedBytes, lossyClasses }: LossyPoolSizes, ports: number): number {
  return lossyBytes - reservedBytes * ports * classesIn(lossyClasses);
}

/** Ports are identified by their index within the switch. */
export class LossyPool {
  readonly #sizes: LossyPoolSizes;
  readonly #sharedBytes: number;
  /** Bytes by egress port and class. */
  readonly #queueBytes: Float64Array;

  constructor(sizes: LossyPoolSizes, ports: number) {
    this.#sizes = sizes;
    this.#sharedBytes = sharedOfPool(sizes, ports);
    this.#queueBytes = new Float64Array(ports * CLASS_COUNT);
  }

  isLossy(trafficClass: number): boolean {
    return (this.#sizes.lossyClasses & (1 << trafficClass)) !== 0;
  }

  admits(egress: number, trafficClass: number, lenBytes: number): boolean {
    const before = this.#queueBytes[egress * CLASS_COUNT + trafficClass];
    const beyond = this.#sharedUse(before + lenBytes);
    const added = beyond - this.#sharedUse(before);
    const free = this.#sharedBytes - this.#inUse();
    return added === 0 || (added <= free && beyond <= this.#sizes.alpha * free);
  }

  /** @param bytes negative for a packet that leaves. */
  add(egress: number, trafficClass: number, bytes: number): void {
    this.#queueBytes[egress * CLASS_COUNT + trafficClass] += bytes;
  }

  #sharedUse(queueBytes: number): number {
    return Math.max(0, queueBytes - this.#sizes.reservedBytes);
  }

  #inUse(): number {
    let bytes = 0;
    for (const queueBytes of this.#queueBytes) bytes += this.#sharedUse(queueBytes);
    return bytes;
  }
}

/*
 * Counts how many times a port's reserve and headroom are set aside: once per guaranteed class, or once for all
 * (reference).
 */

/** @returns the number of classes in a mask of eight bits. */
export function classesIn(bits: number): number {
  let count = 0;
  for (let left = bits; left > 0; left >>>= 1) count += left & 1;
  return count;
}

export function timesSetAside({ guaranteedClasses }: { readonly guaranteedClasses?: number | undefined }): number {
  return guaranteedClasses === undefined ? 1 : classesIn(guaranteedClasses);
}
