/**
 * The event list of the reference: by time, and at one instant in the order of insertion.
 *
 * What has an event owns one `SimEvent` and lists it again and again, so a run allocates none. An event at the end time
 * or later is not listed at all. Triggers run before the next event, the last one first, and no time passes.
 */

const UNLISTED = -1;

/** The one event that its owner may have in the list. */
export class SimEvent {
  timePs = 0;
  order = 0;
  /** Place in the heap; -1: not listed. */
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
  /** Time of the event that runs, picoseconds. */
  nowPs = 0;
  readonly #endPs: number;
  readonly #heap: SimEvent[] = [];
  readonly #triggered: (() => void)[] = [];
  #orders = 0;
  #executed = 0;

  /** @param endPs events at this time or later never run. */
  constructor(endPs: number) {
    this.#endPs = endPs;
  }

  /** Events run so far. */
  get executed(): number {
    return this.#executed;
  }

  /** Lists an event that is not listed, behind those of the same time. */
  schedule(event: SimEvent, timePs: number): void {
    if (timePs >= this.#endPs) return;
    event.timePs = timePs;
    event.order = this.#orders;
    this.#orders += 1;
    this.#siftUp(event, this.#heap.length);
  }

  cancel(event: SimEvent): void {
    const { position } = event;
    if (position === UNLISTED) return;
    event.position = UNLISTED;
    const last = this.#heap.pop();
    if (last === undefined || last === event) return;
    const parent = this.#heap[(position - 1) >>> 1];
    if (position > 0 && isBefore(last, parent)) this.#siftUp(last, position);
    else this.#siftDown(last, position);
  }

  /** Runs `action` before the next event. */
  trigger(action: () => void): void {
    this.#triggered.push(action);
  }

  /** Runs until the list is empty. */
  run(): void {
    for (;;) {
      const action = this.#triggered.pop();
      if (action !== undefined) {
        action();
        continue;
      }
      if (this.#heap.length === 0) return;
      const [event] = this.#heap;
      this.cancel(event);
      this.nowPs = event.timePs;
      this.#executed += 1;
      event.run();
    }
  }

  #siftUp(event: SimEvent, from: number): void {
    const heap = this.#heap;
    let at = from;
    while (at > 0) {
      const up = (at - 1) >>> 1;
      const parent = heap[up];
      if (!isBefore(event, parent)) break;
      heap[at] = parent;
      parent.position = at;
      at = up;
    }
    heap[at] = event;
    event.position = at;
  }

  #siftDown(event: SimEvent, from: number): void {
    const heap = this.#heap;
    const count = heap.length;
    let at = from;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= count) break;
      if (below + 1 < count && isBefore(heap[below + 1], heap[below])) below += 1;
      const child = heap[below];
      if (!isBefore(child, event)) break;
      heap[at] = child;
      child.position = at;
      at = below;
    }
    heap[at] = event;
    event.position = at;
  }
}

function isBefore(a: SimEvent, b: SimEvent): boolean {
  return a.timePs < b.timePs || (a.timePs === b.timePs && a.order < b.order);
}
