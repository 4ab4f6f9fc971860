/**
 * A timing wheel (Varghese and Lauck, SOSP 1987, scheme 4) for the frames that an emulated switch sends: each waits in
 * the tick of its time. A frame leaves at the first call of `advance` after its tick has ended: never early, and late
 * by less than one tick plus the time between two calls.
 *
 * Times beyond the wheel's range wait in its last tick, where they are checked again.
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

  /** @param entries entries have numbers 0 to `entries` - 1; each is in the wheel at most once. */
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

  /** Passes due entries to `due`, tick by tick, and within a tick in the order in which they were added. */
  advance(timePs: number, due: (entry: number) => void): void {
    const until = Math.floor(timePs / this.tickPs);
    // One revolution suffices, even if the last call was long ago.
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
