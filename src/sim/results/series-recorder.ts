/**
 * Series in bounded memory: columns of samples at one interval. When a column would grow beyond `maxSamples`, every
 * second sample is dropped and the interval doubles, so a run of any length keeps between half of the samples and all.
 *
 *   sample k (from 0) stands (k + 1) times the interval behind the start; halving keeps samples 1, 3, 5, …, which stand
 *     at 1, 2, 3, … times
 *   the doubled one behind it.
 *
 * Three kinds of columns: `at` is the value at the sample's time (queue, rate); `mean` is a share of the time since the
 * sample before (utilisation), and is averaged over what was dropped; `most` is the largest value since the sample
 * before, and stays that of all that was dropped. A column takes memory from its first value other than 0 on,
 * so thousands of ports of which few have queues cost little.
 */
import { RoceError, type RoceErrorFields } from '../../errors.js';

/** Samples that a column has room for at first. */
const FIRST_SAMPLES = 64;

export type SampleKind = 'at' | 'mean' | 'most';

export interface SeriesRecorderOptions {
  /** Picoseconds, whole, above 0. */
  readonly intervalPs: number;
  /** From when on samples are taken; whole picoseconds. Default 0. */
  readonly startPs?: number;
  /** At least 2. */
  readonly maxSamples: number;
  /** Kind of each column. */
  readonly columns: readonly SampleKind[];
}

export class SeriesRecorder {
  readonly #baseIntervalPs: number;
  readonly #startPs: number;
  readonly #maxSamples: number;
  readonly #kinds: readonly SampleKind[];
  readonly #data: (Float64Array | undefined)[];
  /** Since the last kept sample: of `mean` columns value times picoseconds, of `most` columns the largest value. */
  readonly #sums: Float64Array;
  #sampleCount = 0;
  #currentIntervalPs: number;
  #lastPs: number;

  /** @throws RoceError `invalid-argument` naming the option. */
  constructor({ intervalPs, startPs = 0, maxSamples, columns }: SeriesRecorderOptions) {
    if (!Number.isSafeInteger(intervalPs) || intervalPs <= 0) {
      throw refused({ got: intervalPs, allowed: { above: 0, multipleOf: 1, unit: 'ps' }, where: 'intervalPs' });
    }
    if (!Number.isSafeInteger(maxSamples) || maxSamples < 2) {
      throw refused({ got: maxSamples, allowed: { min: 2, multipleOf: 1 }, where: 'maxSamples' });
    }
    this.#baseIntervalPs = intervalPs;
    this.#startPs = startPs;
    this.#lastPs = startPs;
    this.#currentIntervalPs = intervalPs;
    this.#maxSamples = maxSamples;
    this.#kinds = columns;
    this.#data = columns.map(() => undefined);
    this.#sums = new Float64Array(columns.length);
  }

  /** Of the samples that are kept. */
  get intervalPs(): number {
    return this.#currentIntervalPs;
  }

  /** Samples kept. */
  get count(): number {
    return this.#sampleCount;
  }

  /** Time of the next sample that will be kept; it must not be stepped over. Those between needn't be given. */
  get nextPs(): number {
    return this.#startPs + (this.#sampleCount + 1) * this.#currentIntervalPs;
  }

  /**
   * Adds a sample. Times ascend by multiples of the first interval; `mean` and `most` values are those since the time
   * added before.
   *
   * @param values one per column.
   * @throws RoceError `invalid-argument` for another time or number of values.
   */
  add(timePs: number, values: ArrayLike<number>): void {
    this.#check(timePs, values.length);
    if (this.#sampleCount === this.#maxSamples) this.#halve();
    const isKept = timePs === this.nextPs;
    for (let column = 0; column < this.#kinds.length; column++) {
      this.#addTo(column, values[column], timePs - this.#lastPs, isKept);
    }
    if (isKept) this.#sampleCount++;
    this.#lastPs = timePs;
  }

  timesPs(): number[] {
    return Array.from({ length: this.#sampleCount },
      (_, index) => this.#startPs + (index + 1) * this.#currentIntervalPs);
  }

  /** The kept samples of a column. */
  column(index: number): number[] {
    const data = this.#data[index];
    return data ? Array.from(data.subarray(0, this.#sampleCount)) : new Array<number>(this.#sampleCount).fill(0);
  }

  #addTo(column: number, value: number, sincePs: number, isKept: boolean): void {
    const kind = this.#kinds[column];
    if (kind === 'mean') this.#sums[column] += value * sincePs;
    if (kind === 'most') this.#sums[column] = Math.max(this.#sums[column], value);
    if (!isKept) return;
    const sum = this.#sums[column];
    const kept = kind === 'at' ? value : kind === 'most' ? sum : sum / this.#currentIntervalPs;
    this.#sums[column] = 0;
    if (kept === 0 && this.#data[column] === undefined) return;
    this.#columnFor(column)[this.#sampleCount] = kept;
  }

  /** A column with room for one more sample. */
  #columnFor(column: number): Float64Array {
    const before = this.#data[column];
    if (before !== undefined && this.#sampleCount < before.length) return before;
    // Columns grow at different samples, so that thousands of them hold up no single one.
    const first = FIRST_SAMPLES + (column % FIRST_SAMPLES);
    const least = Math.max(first, 2 * this.#sampleCount);
    const data = new Float64Array(Math.min(least, this.#maxSamples));
    if (before !== undefined) data.set(before);
    this.#data[column] = data;
    return data;
  }

  #halve(): void {
    const half = this.#sampleCount >> 1;
    for (let column = 0; column < this.#kinds.length; column++) this.#halveColumn(column, half);
    this.#sampleCount = half;
    this.#currentIntervalPs *= 2;
  }

  #halveColumn(column: number, half: number): void {
    const data = this.#data[column];
    if (!data) return;
    const kind = this.#kinds[column];
    // An odd one out goes back to what the next sample is made of.
    if (this.#sampleCount % 2 === 1) this.#giveBack(column, data[this.#sampleCount - 1]);
    for (let index = 0; index < half; index++) {
      const [earlier, later] = [data[2 * index], data[2 * index + 1]];
      data[index] = kind === 'at' ? later : kind === 'most' ? Math.max(earlier, later) : (earlier + later) / 2;
    }
    data.fill(0, half);
  }

  #giveBack(column: number, value: number): void {
    if (this.#kinds[column] === 'mean') this.#sums[column] += value * this.#currentIntervalPs;
    if (this.#kinds[column] === 'most') this.#sums[column] = Math.max(this.#sums[column], value);
  }

  #check(timePs: number, valueCount: number): void {
    if (valueCount !== this.#kinds.length) {
      throw refused({ what: 'the number of values', got: valueCount, allowed: this.#kinds.length, where: 'values' });
    }
    // A full recorder halves before it takes the sample, and then the next one to keep stands at an even multiple.
    const isFull = this.#sampleCount === this.#maxSamples;
    const limitPs = isFull ?
      this.#startPs + (Math.floor(this.#sampleCount / 2) + 1) * 2 * this.#currentIntervalPs :
      this.nextPs;
    const isMultiple = Number.isSafeInteger(timePs) && (timePs - this.#startPs) % this.#baseIntervalPs === 0;
    if (isMultiple && timePs > this.#lastPs && timePs <= limitPs) return;
    throw refused({
      what: 'the time of a sample',
      got: timePs,
      allowed: { above: this.#lastPs, max: limitPs, unit: 'ps' },
      where: 'timePs',
      hint: `Samples stand at multiples of ${this.#baseIntervalPs} ps behind ${this.#startPs} ps`,
    });
  }
}

function refused(fields: RoceErrorFields): RoceError {
  return new RoceError('invalid-argument', fields);
}
