/**
 * ECN marking by RED: a packet that leaves a queue is marked with probability 0 up to kmin, rising to pmax at kmax, and
 * 1 beyond.
 */

export interface MarkingThresholds {
  readonly kminBytes: number;
  readonly kmaxBytes: number;
  readonly pmax: number;
}

/** @param queueBytes of the port and class, without the departing packet. */
export function markProbability({ kminBytes, kmaxBytes, pmax }: MarkingThresholds, queueBytes: number): number {
  if (queueBytes > kmaxBytes) return 1;
  if (queueBytes <= kminBytes) return 0;
  return (pmax * (queueBytes - kminBytes)) / (kmaxBytes - kminBytes);
}
