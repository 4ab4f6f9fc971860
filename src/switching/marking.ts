/** The probability that a packet is marked when it leaves a queue: 0 up to kmin, then a ramp to pmax, 1 beyond kmax. */

export interface MarkingThresholds {
  readonly kminBytes: number;
  readonly kmaxBytes: number;
  readonly pmax: number;
}

/** @param queueBytes of the port and class, without the packet that leaves. */
export function markProbability({ kminBytes, kmaxBytes, pmax }: MarkingThresholds, queueBytes: number): number {
  if (queueBytes > kmaxBytes) return 1;
  if (queueBytes <= kminBytes) return 0;
  return (pmax * (queueBytes - kminBytes)) / (kmaxBytes - kminBytes);
}
