/** Tracks the engine's actions: rates over time and CNPs due, per QP. */
import { ACTION_CNP, ACTION_RATE } from '../abi/codes.js';
import type { Actions } from '../engine/actions.js';
import { LEAD_PS } from './frame-clock.js';
import { RateHistory } from './rate-history.js';

export class QpRates {
  readonly history: RateHistory;
  /** Lowest rate by the engine's QP number. */
  readonly lowestRatesBps: Float64Array;
  /** CNPs that became due at this QP. */
  readonly cnpsDue: Float64Array;
  readonly #lineRateBps: number;
  /** Offset from the engine's clock to the capture's timeline. */
  #offsetPs = -LEAD_PS;

  constructor(qpCount: number, lineRateBps: number) {
    this.#lineRateBps = lineRateBps;
    this.history = new RateHistory(lineRateBps);
    this.lowestRatesBps = new Float64Array(qpCount).fill(lineRateBps);
    this.cnpsDue = new Float64Array(qpCount);
  }

  /**
   * Starts a new epoch: from `endPs` of the timeline, rates are those of a new engine, whose clock shows LEAD_PS at
   * `startPs`.
   */
  beginEpoch(endPs: number, startPs: number): void {
    this.history.changeAll(endPs, this.#lineRateBps);
    this.#offsetPs = startPs - LEAD_PS;
  }

  /** Processes all actions of the last call. */
  follow(actions: Actions): void {
    for (let index = 0; index < actions.length; index++) {
      const kind = actions.kindCode(index);
      const qp = actions.qp(index);
      if (kind === ACTION_CNP) this.cnpsDue[qp] = (this.cnpsDue[qp] ?? 0) + 1;
      if (kind !== ACTION_RATE) continue;
      const rateBps = actions.value(index);
      if (rateBps < (this.lowestRatesBps[qp] ?? Infinity)) this.lowestRatesBps[qp] = rateBps;
      this.history.change(qp, actions.timePs(index) + this.#offsetPs, rateBps);
    }
  }
}
