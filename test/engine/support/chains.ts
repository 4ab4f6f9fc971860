/** Checks that each rate change of a QP begins at the rate where the previous one ended. */
import { expect } from 'vitest';
import type { Engine, RateChange } from '../../../src/index.js';

export class Chains {
  readonly #engine: Engine;
  readonly #last = new Map<number, { toBps: number; timePs: number }>();
  /** The number of changes per reason. */
  readonly reasons = new Map<string, number>();

  constructor(engine: Engine) {
    this.#engine = engine;
    for (const qp of engine.openQps()) this.open(qp);
  }

  /** Records the initial rate of an opened QP. */
  open(qp: number): void {
    this.#last.set(qp, { toBps: this.#engine.rateBps(qp), timePs: -Infinity });
  }

  /** Checks the changes of the last call; the last one of each QP must end at its current rate. */
  follow(): RateChange[] {
    const changes = [...this.#engine.trace];
    for (const change of changes) this.#join(change);
    for (const [qp, { toBps }] of this.#last) {
      if (this.#engine.rateBps(qp) !== toBps) expect(toBps, `QP ${qp}`).toBe(this.#engine.rateBps(qp));
    }
    return changes;
  }

  #join(change: RateChange): void {
    const { qp, fromBps, toBps, timePs, reason } = change;
    const last = this.#last.get(qp);
    if (last?.toBps !== fromBps || timePs < last.timePs || fromBps === toBps) {
      expect(change, 'a gap').toMatchObject({ after: last });
    }
    this.#last.set(qp, { toBps, timePs });
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
  }
}
