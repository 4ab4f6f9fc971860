/** Data packets that a test has dropped, by how often each has come to a switch (X_DROP; lossy-reference, section 10). */
import type { ForcedDrop } from '../../lossy-plan.js';
import type { Packet } from '../packet.js';

export class ForcedDrops {
  /** Arrivals still to be dropped, by flow and sequence. */
  readonly #left = new Map<string, number>();

  constructor(drops: readonly ForcedDrop[]) {
    for (const { flow, sequence, count } of drops) this.#left.set(`${flow} ${sequence}`, count);
  }

  takes({ kind, flow, sequence }: Packet): boolean {
    if (kind !== 'data' || this.#left.size === 0) return false;
    const key = `${flow} ${sequence}`;
    const left = this.#left.get(key) ?? 0;
    if (left > 0) this.#left.set(key, left - 1);
    return left > 0;
  }
}
