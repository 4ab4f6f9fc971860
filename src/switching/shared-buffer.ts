/**
 * The packet buffer of a switch, which its ports share, and the queues of a port: admission of packets, PFC pause and
 * resume, and the order in which queues are served.
 *
 * Per port and class: ingress bytes, and bytes in the headroom; per switch: bytes in the shared part.
 *
 *   available   memory - all headroom - reserve * ports - shared          threshold(port) = available >> shift
 *   shared use  max(0, ingress - reserve)
 *   admit       unless  headroom + len > its size  and  shared use + len > threshold
 *   store       ingress + len <= reserve: reserved; ingress + len - reserve > threshold: headroom; else shared
 *   release     out of the headroom first, then out of the shared part, then out of the reserve
 *   pause       headroom in use, or shared use >= threshold
 *   resume      headroom empty, and shared use 0 or at least `resumeOffsetBytes` below the threshold
 *
 * Counters belong to the arrival port. The queue of an egress port is not limited.
 *
 * Lossy classes share memory by queue (egress port and class); only the bytes of each queue are kept, and sums are
 * recomputed for each packet:
 *
 *   shared use of a queue   max(0, its bytes - reserve)          in use   sum of these over all lossy queues
 *   limit                   alpha (shared part - in use)
 *   admit                   shared use with the packet <= limit, and its increase <= the free shared bytes
 *
 * Sources: docs/specs/reference.md, section 9; docs/reference/sources.md, "Pools of a switch".
 */
/** Traffic classes of a port, one queue each. Class 0 carries pause frames. */
export const CLASS_COUNT = 8;

/** A port's share of the buffer. */
export interface BufferPort {
  /** Per class, for arrivals after a pause. */
  readonly headroomBytes: number;
  readonly thresholdShift: number;
}

export interface BufferSizes {
  readonly bufferBytes: number;
  /** Reserved per port and class, not shared. */
  readonly reservedBytes: number;
  readonly resumeOffsetBytes: number;
  /**
   * Bit c: memory is set aside for class c. Other classes use only the shared part and are never paused. Default: all.
   */
  readonly guaranteedClasses?: number | undefined;
  /** How many times a port's reserve and headroom are set aside. Default: once, for all classes. */
  readonly timesSetAside?: number;
}

/** Bytes of one port and class. */
interface Occupancy {
  ingressBytes: number;
  headroomBytes: number;
  paused: boolean;
}

const ALL_CLASSES = 2 ** CLASS_COUNT - 1;

/** Ports are identified by their index within the switch, classes by their number. */
export class SharedBuffer {
  readonly #sizes: BufferSizes;
  readonly #ports: readonly BufferPort[];
  readonly #occupancy: readonly (readonly Occupancy[])[];
  readonly #sharedSizeBytes: number;
  #sharedUsedBytes = 0;

  constructor(sizes: BufferSizes, ports: readonly BufferPort[]) {
    this.#sizes = sizes;
    this.#ports = ports;
    this.#occupancy = ports.map(() =>
      Array.from({ length: CLASS_COUNT }, () => ({ ingressBytes: 0, headroomBytes: 0, paused: false }))
    );
    const headroomBytes = ports.reduce((sum, port) => sum + port.headroomBytes, 0);
    const setAsideBytes = headroomBytes + sizes.reservedBytes * ports.length;
    this.#sharedSizeBytes = sizes.bufferBytes - setAsideBytes * (sizes.timesSetAside ?? 1);
  }

  get sharedUsedBytes(): number {
    return this.#sharedUsedBytes;
  }

  occupancy(port: number, trafficClass: number): Readonly<Occupancy> {
    return this.#occupancy[port][trafficClass];
  }

  /** Shared bytes at which a port is paused. */
  thresholdBytes(port: number): number {
    const availableBytes = this.#sharedSizeBytes - this.#sharedUsedBytes;
    return Math.floor(availableBytes / 2 ** this.#ports[port].thresholdShift);
  }

  admits(port: number, trafficClass: number, lenBytes: number): boolean {
    const inHeadroom = this.#occupancy[port][trafficClass].headroomBytes + lenBytes;
    if (inHeadroom <= this.#ports[port].headroomBytes && this.#isGuaranteed(trafficClass)) return true;
    return this.#sharedUse(port, trafficClass) + lenBytes <= this.thresholdBytes(port);
  }

  /** Stores a packet that was admitted. */
  store(port: number, trafficClass: number, lenBytes: number): void {
    const held = this.#occupancy[port][trafficClass];
    const beyondReserve = held.ingressBytes + lenBytes - this.#reserveOf(trafficClass);
    if (beyondReserve > 0 && beyondReserve > this.thresholdBytes(port)) {
      held.headroomBytes += lenBytes;
      return;
    }
    held.ingressBytes += lenBytes;
    if (beyondReserve > 0) this.#sharedUsedBytes += Math.min(lenBytes, beyondReserve);
  }

  /** Releases the memory of a packet that leaves. */
  release(port: number, trafficClass: number, lenBytes: number): void {
    const held = this.#occupancy[port][trafficClass];
    const fromHeadroom = Math.min(held.headroomBytes, lenBytes);
    const fromShared = Math.min(lenBytes - fromHeadroom, this.#sharedUse(port, trafficClass));
    held.headroomBytes -= fromHeadroom;
    held.ingressBytes -= lenBytes - fromHeadroom;
    this.#sharedUsedBytes -= fromShared;
  }

  /** Records that the neighbour must pause. @returns whether it must. */
  beginPause(port: number, trafficClass: number): boolean {
    const held = this.#occupancy[port][trafficClass];
    const wanted = this.#isGuaranteed(trafficClass) && this.#wantsPause(port, trafficClass);
    if (held.paused || !wanted) return false;
    held.paused = true;
    return true;
  }

  /** Records that the neighbour may resume. @returns whether it may. */
  endPause(port: number, trafficClass: number): boolean {
    const held = this.#occupancy[port][trafficClass];
    if (!held.paused || held.headroomBytes > 0) return false;
    const used = this.#sharedUse(port, trafficClass);
    if (used > 0 && used + this.#sizes.resumeOffsetBytes > this.thresholdBytes(port)) return false;
    held.paused = false;
    return true;
  }

  /**
   * Whether a port would stay paused if all bytes left except the stuck ones, given by port and class. Computed on a
   * copy.
   */
  pauseLasts(port: number, trafficClass: number, stuck: (port: number, trafficClass: number) => number): boolean {
    if (!this.#occupancy[port][trafficClass].paused) return false;
    const rest = new SharedBuffer(this.#sizes, this.#ports);
    rest.#sharedUsedBytes = this.#sharedUsedBytes;
    this.#occupancy.forEach((classes, at) => {
      classes.forEach((held, one) => {
        Object.assign(rest.#occupancy[at][one], held);
        rest.release(at, one, held.ingressBytes + held.headroomBytes - stuck(at, one));
      });
    });
    return !rest.endPause(port, trafficClass);
  }

  /** Clears all pauses of a port. */
  forgetPauses(port: number): void {
    for (const held of this.#occupancy[port]) held.paused = false;
  }

  #sharedUse(port: number, trafficClass: number): number {
    return Math.max(0, this.#occupancy[port][trafficClass].ingressBytes - this.#reserveOf(trafficClass));
  }

  #wantsPause(port: number, trafficClass: number): boolean {
    const { headroomBytes } = this.#occupancy[port][trafficClass];
    return headroomBytes > 0 || this.#sharedUse(port, trafficClass) >= this.thresholdBytes(port);
  }

  #reserveOf(trafficClass: number): number {
    return this.#isGuaranteed(trafficClass) ? this.#sizes.reservedBytes : 0;
  }

  #isGuaranteed(trafficClass: number): boolean {
    return ((this.#sizes.guaranteedClasses ?? ALL_CLASSES) & (1 << trafficClass)) !== 0;
  }
}

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

/** @returns the number of classes in a mask of eight bits. */
export function classesIn(bits: number): number {
  let count = 0;
  for (let left = bits; left > 0; left >>>= 1) count += left & 1;
  return count;
}

/** How many times a port's reserve and headroom are set aside: per guaranteed class, or once for all (reference). */
export function timesSetAside({ guaranteedClasses }: { readonly guaranteedClasses?: number | undefined }): number {
  return guaranteedClasses === undefined ? 1 : classesIn(guaranteedClasses);
}

/**
 * Selects the queue that a port serves next: queue 0 first, then strict classes from the highest down, then the others
 * round-robin.
 */
export class QueueScheduler {
  readonly #strictClasses: number;
  /** The round-robin queue served last. */
  lastServed = 0;

  /** @param strictClasses bit c is set if class c is strict. */
  constructor(strictClasses: number) {
    this.#strictClasses = strictClasses;
  }

  /**
   * @param ready bit q is set if queue q has packets and is not paused.
   * @returns the queue, which counts as served; -1 if none is ready.
   */
  next(ready: number): number {
    if (ready === 0) return -1;
    if ((ready & 1) !== 0) return 0;
    const strict = ready & this.#strictClasses;
    if (strict !== 0) return 31 - Math.clz32(strict);
    for (let turn = 1; turn <= CLASS_COUNT; turn += 1) {
      const queue = (this.lastServed + turn) % CLASS_COUNT;
      if ((ready & (1 << queue)) === 0) continue;
      this.lastServed = queue;
      return queue;
    }
    return -1;
  }
}
