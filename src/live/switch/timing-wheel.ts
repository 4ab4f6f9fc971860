/**
 * A timing wheel (Varghese and Lauck, SOSP 1987, scheme 4) for the frames that an emulated switch sends: each waits in the tick of its
 * time. A frame leaves with the first call of `advance` after the end of its tick, so less than one tick plus the time between
 * two calls late, and never early.
 *
 * Times beyond the wheel wait in its last tick, where they are checked again.
 */
import { NONE } from './frame-pool.js';

export class TimingWheel {
  readonly tickPs: number;
  readonly #times: Float64Array;
  readonly #next: Int32Array;
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  #tick = 0;
  #count = 0;

  /** @param entries entries are 0 to `entries` - 1; each is in the wheel at most once. */
  constructor(entries: number, tickPs: number, ticks: number) {
    this.tickPs = tickPs;
    this.#times = new Float64Array(entries);
    this.#next = new Int32Array(entries);
    this.#first = new Int32Array(ticks).fill(NONE);
    this.#last = new Int32Array(ticks).fill(NONE);
  }

  get count(): number {
    return this.#count;
  }

  timePsOf(entry: number): number {
    return this.#times[entry];
  }

  add(entry: number, timePs: number): void {
    this.#times[entry] = timePs;
    this.#count += 1;
    this.#put(entry, timePs);
  }

  /** Returns due frames, tick by tick, within a tick in the order in which they were added. */
  advance(timePs: number, due: (entry: number) => void): void {
    const until = Math.floor(timePs / this.tickPs);
    // One revolution suffices, however long ago the last call was.
    const from = Math.max(this.#tick, until - this.#first.length);
    for (let tick = from; tick < until; tick += 1) {
      this.#tick = tick + 1;
      this.#empty(tick % this.#first.length, timePs, due);
    }
  }

  #empty(place: number, timePs: number, due: (entry: number) => void): void {
    let entry = this.#first[place];
    this.#first[place] = NONE;
    this.#last[place] = NONE;
    while (entry !== NONE) {
      const next = this.#next[entry];
      if (this.#times[entry] > timePs) this.#put(entry, this.#times[entry]);
      else {
        this.#count -= 1;
        due(entry);
      }
      entry = next;
    }
  }

  #put(entry: number, timePs: number): void {
    const ticks = this.#first.length;
    const tick = Math.max(this.#tick, Math.min(Math.floor(timePs / this.tickPs), this.#tick + ticks - 1));
    const place = tick % ticks;
    if (this.#first[place] === NONE) this.#first[place] = entry;
    else this.#next[this.#last[place]] = entry;
    this.#last[place] = entry;
    this.#next[entry] = NONE;
  }
}
