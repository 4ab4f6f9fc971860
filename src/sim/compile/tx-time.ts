/** Transmission times on links, in whole picoseconds; each length and rate is computed only once. */
import { exactTxTimePs } from '../../exact-numbers.js';
import { txTimeNs } from '../../reference/algorithms/rate-numbers.js';
import { PS_PER_NS } from '../../unit-sizes.js';

/** `exact`: rounded up. `ns3`: whole nanoseconds, as the reference simulator rounds (docs/specs/reference.md, section 1). */
export class TxTimes {
  readonly #known = new Map<number, Map<number, number>>();
  readonly #rounding: 'exact' | 'ns3';
  /** Rate requested last: most paths have one rate throughout. */
  #lastRateBps = NaN;
  #ofLastRate = new Map<number, number>();

  constructor(rounding: 'exact' | 'ns3') {
    this.#rounding = rounding;
  }

  /** Picoseconds of `lenBytes` at `rateBps`. */
  ps(lenBytes: number, rateBps: number): number {
    const ofRate = rateBps === this.#lastRateBps ? this.#ofLastRate : this.#timesAt(rateBps);
    const known = ofRate.get(lenBytes);
    if (known !== undefined) return known;
    const time = this.#rounding === 'ns3' ? ns3TxTimePs(lenBytes, rateBps) : exactTxTimePs(lenBytes, rateBps);
    ofRate.set(lenBytes, time);
    return time;
  }

  #timesAt(rateBps: number): Map<number, number> {
    const times = this.#known.get(rateBps) ?? new Map<number, number>();
    this.#known.set(rateBps, times);
    this.#lastRateBps = rateBps;
    this.#ofLastRate = times;
    return times;
  }
}

/** Transmission time rounded as the reference simulator does: up to a whole nanosecond, less 1 ns. */
export function ns3TxTimePs(lenBytes: number, rateBps: number): number {
  return txTimeNs(lenBytes, rateBps) * PS_PER_NS;
}
