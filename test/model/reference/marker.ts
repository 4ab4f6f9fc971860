/** Marks by the queue that a packet leaves behind, on the ramp by the reference's own numbers (`mark-random.ts`). */
import { markProbability } from '../../../src/switching/congestion-judge.js';
import type { Port } from '../link-ends.js';
import type { Packet } from '../packet.js';
import type { CongestionVerdict, Marker } from '../parts.js';
import type { MarkRandom } from './mark-random.js';

export class ReferenceMarker implements Marker {
  readonly #random: MarkRandom;

  constructor(random: MarkRandom) {
    this.#random = random;
  }

  judge({ plan }: Port, _packet: Packet, queueBytes: number): CongestionVerdict {
    const probability = markProbability(plan, queueBytes);
    // On the ramp, including its ends, each decision draws a number.
    const onRamp = queueBytes > plan.kminBytes && queueBytes <= plan.kmaxBytes;
    return { mark: onRamp ? this.#random.next() < probability : probability > 0, notify: false };
  }
}
