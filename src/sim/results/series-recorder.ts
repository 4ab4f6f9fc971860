/**
 * Series in bounded memory: columns of samples at one interval. When a column would exceed `maxSamples`, every second sample is
 * dropped and the interval doubles, so a run of any length has between `maxSamples / 2` and `maxSamples` samples.
 *
 *   sample k (from 0) is (k + 1) intervals after the start; halving keeps samples 1, 3, 5, …, which are 1, 2, 3, … doubled
 *   intervals after it
 *
 * Three kinds of columns: `at` is the value at the sample's time (queue, rate); `mean` is a share of the time since the
 * previous sample (utilisation), and is averaged over dropped samples; `most` is the largest value since the previous
 * sample, dropped ones included. A sample's values are contiguous, so that a sample of a hundred thousand columns is written
 * sequentially. Columns that have always been 0 take no space, so thousands of ports with few queues cost little.
 */
import { RoceError, type RoceErrorFields } from '../../errors.js';
import type { SeriesResult } from '../result.js';

const NONE = -1;

export type SampleKind = 'at' | 'mean' | 'most';

const KINDS: readonly SampleKind[] = ['at', 'mean', 'most'];
const [AT, MEAN, MOST] = [0, 1, 2];

export interface SeriesRecorderOptions {
  /** Interval of samples, whole picoseconds, above 0. */
  readonly intervalPs: number;
  /** Start of the samples; whole picoseconds. Default 0. */
  readonly startPs?: number;
  /** Maximum number of samples, at least 2. */
  readonly maxSamples: number;
  /** Kind of each column. */
  readonly columns: readonly SampleKind[];
}

/** The column of each series: ports by name, flows by index. Columns that are not listed are omitted from the result. */
export interface SeriesLayout {
  readonly queueBytes: Readonly<Record<string, number>>;
  readonly mostQueueBytes?: Readonly<Record<string, number>>;
  readonly utilization: Readonly<Record<string, number>>;
  readonly rateBps: Readonly<Record<string, number>>;
  readonly fairness: number;
}

export class SeriesRecorder {
  readonly #baseIntervalPs: number;
  readonly #startPs: number;
  readonly #maxSamples: number;
  /** Kind of each column: AT, MEAN or MOST. */
  readonly #kinds: Uint8Array;
  /** The kept samples, each with the values of the columns that had a slot when it was taken. */
  readonly #samples: Float64Array[] = [];
  /** Column of each slot in a sample. A column gets a slot when it is first not 0. */
  readonly #columns: number[] = [];
  /** Slot of each column; NONE: it has always been 0. */
  readonly #places: Int32Array;
  /** The current sample, by slot. */
  readonly #row: Float64Array;
  /** Since the last kept sample: value times picoseconds of `mean` columns, largest value of `most` columns. */
  readonly #sums: Float64Array;
  #hasSums = false;
  #currentIntervalPs: number;
  #lastPs: number;

  /** @throws RoceError `invalid-argument` naming the option. */
  constructor({ intervalPs, startPs = 0, maxSamples, columns }: SeriesRecorderOptions) {
    if (!Number.isSafeInteger(intervalPs) || intervalPs <= 0) {
      throw rejected({ got: intervalPs, allowed: { above: 0, multipleOf: 1, unit: 'ps' }, where: 'intervalPs' });
    }
    if (!Number.isSafeInteger(maxSamples) || maxSamples < 2) {
      throw rejected({ got: maxSamples, allowed: { min: 2, multipleOf: 1 }, where: 'maxSamples' });
    }
    this.#baseIntervalPs = intervalPs;
    this.#startPs = startPs;
    this.#lastPs = startPs;
    this.#currentIntervalPs = intervalPs;
    this.#maxSamples = maxSamples;
    this.#kinds = Uint8Array.from(columns, (kind) => KINDS.indexOf(kind));
    this.#places = new Int32Array(columns.length).fill(NONE);
    this.#row = new Float64Array(columns.length);
    this.#sums = new Float64Array(columns.length);
  }

  /** Interval of the kept samples, picoseconds. */
  get intervalPs(): number {
    return this.#currentIntervalPs;
  }

  /** Number of kept samples. */
  get count(): number {
    return this.#samples.length;
  }

  /** Time of the next sample that will be kept, which must be added; samples before it are optional. */
  get nextPs(): number {
    return this.#startPs + (this.count + 1) * this.#currentIntervalPs;
  }

  /**
   * Adds a sample. Times ascend by multiples of the first interval; `mean` and `most` values cover the time since the previous
   * sample.
   *
   * @param values one per column.
   * @throws RoceError `invalid-argument` for an unexpected time or number of values.
   */
  add(timePs: number, values: ArrayLike<number>): void {
    this.#check(timePs, values.length);
    if (this.count === this.#maxSamples) this.#halve();
    const isKept = timePs === this.nextPs;
    if (isKept) this.#keep(values, timePs - this.#lastPs);
    else this.#accumulate(values, timePs - this.#lastPs);
    this.#lastPs = timePs;
  }

  timesPs(): number[] {
    return Array.from({ length: this.count }, (_, index) => this.#startPs + (index + 1) * this.#currentIntervalPs);
  }

  /** The kept samples of a column. */
  column(index: number): number[] {
    const place = this.#places[index];
    return Array.from(this.#samples, (sample) => (place === NONE ? 0 : sample[place] ?? 0));
  }

  /** Adds a sample that is not kept to the sums. */
  #accumulate(values: ArrayLike<number>, sincePs: number): void {
    this.#hasSums = true;
    for (let column = 0; column < this.#kinds.length; column++) {
      const kind = this.#kinds[column];
      if (kind === MEAN) this.#sums[column] += values[column] * sincePs;
      else if (kind === MOST) this.#sums[column] = Math.max(this.#sums[column], values[column]);
    }
  }

  /** Keeps a sample. The loop avoids repeated reads of members, as there may be a hundred thousand columns. */
  #keep(values: ArrayLike<number>, sincePs: number): void {
    const [kinds, sums, places, row, intervalPs] = [this.#kinds, this.#sums, this.#places, this.#row, this.intervalPs];
    const has = this.#hasSums;
    for (let column = 0; column < kinds.length; column++) {
      let value = values[column];
      if (kinds[column] === MEAN) value = ((has ? sums[column] : 0) + value * sincePs) / intervalPs;
      else if (has && kinds[column] === MOST) value = Math.max(sums[column], value);
      let place = places[column];
      if (place === NONE) {
        if (value === 0) continue;
        place = places[column] = this.#columns.push(column) - 1;
      }
      row[place] = value;
    }
    this.#samples.push(row.slice(0, this.#columns.length));
    if (has) sums.fill(0);
    this.#hasSums = false;
  }

  #halve(): void {
    const half = this.count >> 1;
    // If the number is odd, the last sample returns to the sums for the next one.
    if (this.count % 2 === 1) this.#giveBack(this.#samples[this.count - 1]);
    for (let index = 0; index < half; index++) {
      const later = this.#samples[2 * index + 1];
      this.#merge(this.#samples[2 * index], later);
      this.#samples[index] = later;
    }
    this.#samples.length = half;
    this.#currentIntervalPs *= 2;
  }

  /** Merges two samples into the later one. */
  #merge(earlier: Float64Array, later: Float64Array): void {
    for (let place = 0; place < later.length; place++) {
      const kind = this.#kinds[this.#columns[place]];
      if (kind === AT) continue;
      const before = place < earlier.length ? earlier[place] : 0;
      later[place] = kind === MOST ? Math.max(before, later[place]) : (before + later[place]) / 2;
    }
  }

  #giveBack(sample: Float64Array): void {
    this.#hasSums = true;
    for (let place = 0; place < sample.length; place++) {
      const column = this.#columns[place];
      const kind = this.#kinds[column];
      if (kind === MEAN) this.#sums[column] += sample[place] * this.#currentIntervalPs;
      else if (kind === MOST) this.#sums[column] = Math.max(this.#sums[column], sample[place]);
    }
  }

  #check(timePs: number, valueCount: number): void {
    if (valueCount !== this.#kinds.length) {
      throw rejected({ what: 'the number of values', got: valueCount, allowed: this.#kinds.length, where: 'values' });
    }
    // A full recorder halves before it adds the sample; the next sample to keep is then at an even multiple.
    const isFull = this.count === this.#maxSamples;
    const limitPs = isFull ?
      this.#startPs + (Math.floor(this.count / 2) + 1) * 2 * this.#currentIntervalPs :
      this.nextPs;
    const isMultiple = Number.isSafeInteger(timePs) && (timePs - this.#startPs) % this.#baseIntervalPs === 0;
    if (isMultiple && timePs > this.#lastPs && timePs <= limitPs) return;
    throw rejected({
      what: 'the time of a sample',
      got: timePs,
      allowed: { above: this.#lastPs, max: limitPs, unit: 'ps' },
      where: 'timePs',
      hint: `Samples are at multiples of ${this.#baseIntervalPs} ps after ${this.#startPs} ps`,
    });
  }
}

/** Converts recorded columns to the series of a result. */
export function seriesResult(recorder: SeriesRecorder, layout: SeriesLayout): SeriesResult {
  return {
    intervalPs: recorder.intervalPs,
    timesPs: recorder.timesPs(),
    queueBytes: columnsOf(recorder, layout.queueBytes),
    ...(layout.mostQueueBytes && { mostQueueBytes: columnsOf(recorder, layout.mostQueueBytes) }),
    utilization: columnsOf(recorder, layout.utilization),
    rateBps: columnsOf(recorder, layout.rateBps),
    fairness: recorder.column(layout.fairness),
  };
}

function columnsOf(recorder: SeriesRecorder, columns: Readonly<Record<string, number>>): Record<string, number[]> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, recorder.column(column)]));
}
function rejected(fields: RoceErrorFields): RoceError {
  return new RoceError('invalid-argument', fields);
}
