/**
 * Marks by S, the queue that a packet leaves without its first 1049 bytes, as the second reference does.
 *
 *   S > kmax            marked
 *   kmin < S <= kmax    u drawn; marked if u < (S - kmin) / (kmax - kmin) * pmax       (none if kmin = kmax)
 *
 * Each switch has its own generator, all with the same initial state: stream 0 of the seed.
 * Source: docs/specs/reference-lossy.md, section 8.
 */
import type { MarkingThresholds } from '../../../src/switching/congestion-judge.js';
import type { Port } from '../link-ends.js';
import type { Packet } from '../packet.js';
import type { CongestionVerdict, Marker } from '../parts.js';
import { Mrg32k3a } from './mrg32k3a.js';

const EGRESS_RESERVED_BYTES = 1049;

export class LossyMarker implements Marker {
  readonly #random: Mrg32k3a;

  constructor(seed: number) {
    this.#random = new Mrg32k3a(seed, 0);
  }

  judge({ plan }: Port, _packet: Packet, queueBytes: number): CongestionVerdict {
    return { mark: this.#marks(plan, queueBytes), notify: false };
  }

  #marks({ kminBytes, kmaxBytes, pmax }: MarkingThresholds, queueBytes: number): boolean {
    const sharedBytes = Math.max(0, queueBytes - EGRESS_RESERVED_BYTES);
    if (sharedBytes > kmaxBytes) return true;
    if (kminBytes === kmaxBytes || sharedBytes <= kminBytes) return false;
    const probability = ((1 * (sharedBytes - kminBytes)) / (kmaxBytes - kminBytes)) * pmax;
    return this.#random.next() < probability;
  }
}
