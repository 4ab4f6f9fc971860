/**
 * DRILL in the second reference: each data packet at each switch takes the least loaded of two random next hops and the one
 * remembered for its destination.
 *
 * The next hops are shuffled: i = 1..n-1: swapped with rand() mod (i + 1). The remembered one starts with its present load;
 * of the first two of the shuffle one is taken if its load is strictly less than the best. Load: bytes waiting in all
 * queues of the port. Source: docs/specs/reference-lossy.md, section 9.
 */
import { DataBalancer } from '../data-balancer.js';
import type { Port } from '../link-ends.js';
import type { Packet } from '../packet.js';
import type { Forwarder } from '../parts.js';
import type { GlibcRandom } from './glibc-random.js';

const SAMPLES = 2;

export class Drill extends DataBalancer {
  readonly #random: GlibcRandom;
  readonly #remembered = new Map<number, Port>();

  constructor(forwarder: Forwarder, random: GlibcRandom) {
    super(forwarder);
    this.#random = random;
  }

  protected override choose(packet: Packet): Port | undefined {
    let best = this.#remembered.get(packet.destination);
    let bestBytes = best === undefined ? Infinity : this.forwarder.waitingBytes(best);
    for (const egress of this.#shuffled(this.forwarder.nextHops(packet)).slice(0, SAMPLES)) {
      const bytes = this.forwarder.waitingBytes(egress);
      if (bytes < bestBytes) [best, bestBytes] = [egress, bytes];
    }
    if (best !== undefined) this.#remembered.set(packet.destination, best);
    return best;
  }

  #shuffled(nextHops: readonly Port[]): Port[] {
    const shuffled = [...nextHops];
    for (let i = 1; i < shuffled.length; i += 1) {
      const j = this.#random.below(i + 1);
      [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
    }
    return shuffled;
  }
}
