/**
 * Rates over time in constant memory: the mean rate of each QP in at most SLICES equal slices of time. When the range
 * must grow, slices are merged in pairs, which doubles their length.
 *
 * Stores the integral of the rate over each slice, in bit/s times ps; a rate holds until the next change.
 */
import { ACTION_CNP, ACTION_RATE } from '../abi/codes.js';
import { checkField, checkRecord, reject, wholeIn } from '../config/field-rules.js';
import type { Actions } from '../engine/actions.js';
import { LEAD_PS } from './captured-frames.js';
import type { RateLine } from './report.js';

const SLICES = 128;
/** Initial slice length; short captures show microseconds. */
const FIRST_SLICE_PS = 1e6;
/** More slices than any chart needs, and within the array size limit. */
const RESAMPLED_SLICES_MAX = 2 ** 24;

interface Line {
  readonly integrals: Float64Array;
  rateBps: number;
  sincePs: number;
}

export class RateHistory {
  readonly #initialRateBps: number;
  readonly #lines = new Map<number, Line>();
  #slicePs = FIRST_SLICE_PS;

  /** @param initialRateBps rate of every QP until its first change. */
  constructor(initialRateBps: number) {
    this.#initialRateBps = initialRateBps;
  }

  /** Extends the range to include `timePs`. */
  cover(timePs: number): void {
    while (timePs >= SLICES * this.#slicePs) {
      for (const line of this.#lines.values()) mergePairs(line.integrals);
      this.#slicePs *= 2;
    }
  }

  /** The first slice border after `timePs`. */
  borderAfter(timePs: number): number {
    return (Math.floor(timePs / this.#slicePs) + 1) * this.#slicePs;
  }

  /** Sets the rate of a QP from `timePs`, counted from the first frame. */
  change(qp: number, timePs: number, rateBps: number): void {
    this.cover(timePs);
    const line = this.#lines.get(qp) ?? this.#begin(qp);
    this.#integrate(line, timePs);
    line.rateBps = rateBps;
  }

  /** Sets the rate of all QPs from `timePs`. */
  changeAll(timePs: number, rateBps: number): void {
    for (const qp of this.#lines.keys()) this.change(qp, timePs, rateBps);
  }

  /** The rate line of a QP from 0 to `endPs`; undefined when its rate never changed. */
  lineOf(qp: number, endPs: number): RateLine | undefined {
    const line = this.#lines.get(qp);
    if (line === undefined) return undefined;
    this.cover(endPs);
    this.#integrate(line, endPs);
    const count = Math.max(1, Math.ceil(endPs / this.#slicePs));
    const meanRatesBps = Array.from(line.integrals.subarray(0, count), (integral, index) => {
      const lengthPs = Math.min(this.#slicePs, endPs - index * this.#slicePs);
      return lengthPs > 0 ? integral / lengthPs : line.rateBps;
    });
    return { sliceDurationPs: this.#slicePs, meanRatesBps };
  }

  #begin(qp: number): Line {
    const line = { integrals: new Float64Array(SLICES), rateBps: this.#initialRateBps, sincePs: 0 };
    this.#lines.set(qp, line);
    return line;
  }

  #integrate(line: Line, untilPs: number): void {
    let from = line.sincePs;
    while (from < untilPs) {
      const slice = Math.floor(from / this.#slicePs);
      const to = Math.min(untilPs, (slice + 1) * this.#slicePs);
      line.integrals[slice] = (line.integrals[slice] ?? 0) + line.rateBps * (to - from);
      from = to;
    }
    line.sincePs = Math.max(line.sincePs, untilPs);
  }
}

function mergePairs(integrals: Float64Array): void {
  for (let i = 0; i < SLICES / 2; i++) integrals[i] = (integrals[2 * i] ?? 0) + (integrals[2 * i + 1] ?? 0);
  integrals.fill(0, SLICES / 2);
}

/**
 * Resamples a rate line to another number of slices, for narrow displays. Each value is the mean over its slice, bits
 * per second.
 *
 * @param endPs the report's `capture.durationPs`.
 * @example
 * const { rateLine } = report.flows[0];
 * const forty = rateLine && resampleRates(rateLine, report.capture.durationPs, 40);
 */
export function resampleRates(line: RateLine, endPs: number, slices: number): number[] {
  checkRecord(line, 'line');
  if (typeof endPs !== 'number') reject({ got: endPs, allowed: 'a number of picoseconds', where: 'endPs' });
  checkField(slices, wholeIn(0, RESAMPLED_SLICES_MAX), 'slices');
  return Array.from({ length: slices },
    (_, index) => meanOver(line, (index * endPs) / slices, ((index + 1) * endPs) / slices));
}

function meanOver(line: RateLine, fromPs: number, toPs: number): number {
  const { sliceDurationPs, meanRatesBps } = line;
  const last = meanRatesBps.length - 1;
  let sum = 0;
  let weight = 0;
  for (let i = Math.min(last, Math.floor(fromPs / sliceDurationPs)); i <= last && i * sliceDurationPs < toPs; i++) {
    const overlap = Math.min(toPs, (i + 1) * sliceDurationPs) - Math.max(fromPs, i * sliceDurationPs);
    if (overlap <= 0) continue;
    sum += (meanRatesBps[i] ?? 0) * overlap;
    weight += overlap;
  }
  return weight > 0 ? sum / weight : (meanRatesBps[last] ?? 0);
}

/** Follows the engine's actions: rates over time and CNPs due, per QP. */
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
