/**
 * Packets that a scenario drops on purpose: the n-th arrival of a packet at any switch (X_DROP). Under `standard` it
 * may drop responses too, identified by the byte that they expect.
 *
 * Source: docs/specs/reference-lossy.md, section 10. Read as: arrivals are counted over all switches of the path.
 */
import type { ForcedDrop } from '../../../src/sim/features/reference-lossy/plan.js';
import type { TransportDrop } from '../../../src/sim/features/transports/plan.js';
import type { Packet } from '../packet.js';

/** Packets from a receiver to its sender that are identified by a byte. */
const RESPONSES: readonly Packet['kind'][] = ['ack', 'nak', 'rnr-nak', 'read-request', 'nack'];

export class ForcedDrops {
  /** Arrivals to drop, and arrivals so far, by kind, flow and sequence. */
  readonly #wanted = new Map<string, Set<number>>();
  readonly #arrivals = new Map<string, number>();

  constructor(drops: readonly (ForcedDrop & Partial<TransportDrop>)[]) {
    for (const { flow, sequence, arrival, of = 'data' } of drops) {
      const key = `${of} ${flow} ${sequence}`;
      this.#wanted.set(key, (this.#wanted.get(key) ?? new Set()).add(arrival));
    }
  }

  takes({ kind, flow, sequence }: Packet): boolean {
    if (this.#wanted.size === 0) return false;
    const key = `${RESPONSES.includes(kind) ? 'ack' : kind} ${flow} ${sequence}`;
    const wanted = this.#wanted.get(key);
    if (wanted === undefined) return false;
    const arrival = (this.#arrivals.get(key) ?? 0) + 1;
    this.#arrivals.set(key, arrival);
    return wanted.has(arrival);
  }
}
