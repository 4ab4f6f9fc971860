/**
 * The event list of the reference, ordered by time; events of the same instant run in the order of insertion.
 *
 * Each event source owns one `SimEvent` and reschedules it, so a run allocates no events. Events at or after the end
 * time are not listed. Triggers run before the next event, last in, first out, without advancing the time.
 */

const UNLISTED = -1;
const FIRST_SIZE = 1024;

/** An event; its owner has at most this one in the list. */
export class SimEvent {
  timePs = 0;
  /** Index in the heap; -1 if not listed. */
  position = UNLISTED;
  readonly run: () => void;

  constructor(run: () => void) {
    this.run = run;
  }

  get isListed(): boolean {
    return this.position !== UNLISTED;
  }
}

export class EventList {
  /** Time of the running event, picoseconds. */
  nowPs = 0;
  readonly #endPs: number;
  readonly #heap: SimEvent[] = [];
  /** Times and sequence numbers by heap index, so that comparisons don't access the events. */
  #timesPs = new Float64Array(FIRST_SIZE);
  #orders = new Float64Array(FIRST_SIZE);
  readonly #triggered: (() => void)[] = [];
  #nextOrder = 0;
  #executed = 0;

  /** @param endPs events at this time or later never run. */
  constructor(endPs: number) {
    this.#endPs = endPs;
  }

  /** Number of events run so far. */
  get executed(): number {
    return this.#executed;
  }

  /** Adds an event that is not listed, after those of the same time. */
  schedule(event: SimEvent, timePs: number): void {
    if (timePs >= this.#endPs) return;
    const { length } = this.#heap;
    if (length === this.#timesPs.length) this.#grow();
    event.timePs = timePs;
    this.#heap.push(event);
    this.#siftUp(event, timePs, this.#nextOrder, length);
    this.#nextOrder += 1;
  }

  cancel(event: SimEvent): void {
    const { position } = event;
    if (position === UNLISTED) return;
    event.position = UNLISTED;
    const last = this.#heap.pop();
    if (last === undefined || last === event) return;
    const { length } = this.#heap;
    const [timePs, order] = [this.#timesPs[length], this.#orders[length]];
    if (position > 0 && this.#isBefore(timePs, order, (position - 1) >> 2)) {
      this.#siftUp(last, timePs, order, position);
    } else {
      this.#siftDown(last, timePs, order, position);
    }
  }

  /** Runs `action` before the next event. */
  trigger(action: () => void): void {
    this.#triggered.push(action);
  }

  /** Runs until the list is empty. */
  run(): void {
    for (;;) {
      if (this.#triggered.length > 0) {
        this.#triggered.pop()?.();
        continue;
      }
      if (this.#heap.length === 0) return;
      const [event] = this.#heap;
      this.nowPs = event.timePs;
      this.cancel(event);
      this.#executed += 1;
      event.run();
    }
  }

  #isBefore(timePs: number, order: number, place: number): boolean {
    const other = this.#timesPs[place];
    return timePs < other || (timePs === other && order < this.#orders[place]);
  }

  #put(event: SimEvent, timePs: number, order: number, place: number): void {
    this.#heap[place] = event;
    this.#timesPs[place] = timePs;
    this.#orders[place] = order;
    event.position = place;
  }

  #siftUp(event: SimEvent, timePs: number, order: number, from: number): void {
    let at = from;
    while (at > 0) {
      const up = (at - 1) >> 2;
      if (!this.#isBefore(timePs, order, up)) break;
      this.#put(this.#heap[up], this.#timesPs[up], this.#orders[up], at);
      at = up;
    }
    this.#put(event, timePs, order, at);
  }

  #siftDown(event: SimEvent, timePs: number, order: number, from: number): void {
    let at = from;
    for (let below = this.#earliestBelow(at); below > 0; below = this.#earliestBelow(at)) {
      if (this.#isBefore(timePs, order, below)) break;
      this.#put(this.#heap[below], this.#timesPs[below], this.#orders[below], at);
      at = below;
    }
    this.#put(event, timePs, order, at);
  }

  /** Index of the earliest of the up to four children; 0 if there are none. */
  #earliestBelow(place: number): number {
    const first = 4 * place + 1;
    const end = Math.min(first + 4, this.#heap.length);
    if (first >= end) return 0;
    let earliest = first;
    for (let at = first + 1; at < end; at += 1) {
      if (this.#isBefore(this.#timesPs[at], this.#orders[at], earliest)) earliest = at;
    }
    return earliest;
  }

  #grow(): void {
    const [timesPs, orders] = [this.#timesPs, this.#orders];
    this.#timesPs = new Float64Array(2 * timesPs.length);
    this.#orders = new Float64Array(2 * orders.length);
    this.#timesPs.set(timesPs);
    this.#orders.set(orders);
  }
}
