/** The rate changes of an engine's QPs as chains: each begins where the one before it ended. */
import { expect } from 'vitest';
import type { Engine, RateChange } from '../../../src/index.js';

export class Chains {
  readonly #engine: Engine;
  readonly #last = new Map<number, { toBps: number; timePs: number }>();
  /** How often each reason was met. */
  readonly reasons = new Map<string, number>();

  constructor(engine: Engine) {
    this.#engine = engine;
    for (const qp of engine.openQps()) this.open(qp);
  }

  /** A QP was opened. */
  open(qp: number): void {
    this.#last.set(qp, { toBps: this.#engine.rateBps(qp), timePs: -Infinity });
  }

  /** Takes the changes of the last call, all of which must join on; each QP must end at the rate that it has. */
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
