/**
 * The event queue of discovery and of the plain network model. Events run by time, and at one instant in the order of
 * scheduling.
 *
 * A binary heap over (time, sequence). The sequence counts calls of `schedule`, so of two events at one instant the one
 * scheduled first runs first, as in the reference simulator.
 */

/** A scheduled event that may still be cancelled. */
export interface ScheduledEvent {
  readonly timePs: number;
  readonly sequence: number;
  cancelled: boolean;
  readonly run: () => void;
}

export class EventQueue {
  #nowPs = 0;
  #scheduled = 0;
  #executed = 0;
  #stopped = false;
  readonly #heap: ScheduledEvent[] = [];

  /** Time of the current event, picoseconds. */
  get nowPs(): number {
    return this.#nowPs;
  }

  /** Time of the next event, cancelled or not; undefined if there is none. */
  get nextPs(): number | undefined {
    return this.#heap[0]?.timePs;
  }

  /** Number of events run so far, without cancelled ones. */
  get executed(): number {
    return this.#executed;
  }

  /** Whether an event called `stop`. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Makes the current event the last one. */
  stop(): void {
    this.#stopped = true;
  }

  /** Schedules an event. @param timePs now or later. */
  schedule(timePs: number, run: () => void): ScheduledEvent {
    const event = { timePs, sequence: this.#scheduled, cancelled: false, run };
    this.#scheduled += 1;
    this.#heap.push(event);
    this.#siftUp(event);
    return event;
  }

  /** Runs events up to and including `endPs`, until none is left, or until it is stopped. Returns whether none is left. */
  runUntil(endPs: number, isOver: () => boolean = () => false): boolean {
    while (this.#heap.length > 0 && !this.#stopped && !isOver()) {
      if (this.#heap[0].timePs > endPs) return false;
      const event = this.#removeFirst();
      if (event.cancelled) continue;
      this.#nowPs = event.timePs;
      this.#executed += 1;
      event.run();
    }
    return !this.#stopped;
  }

  #removeFirst(): ScheduledEvent {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (last !== undefined && last !== first) {
      this.#heap[0] = last;
      this.#siftDown(last);
    }
    return first;
  }

  #siftUp(event: ScheduledEvent): void {
    const heap = this.#heap;
    let at = heap.length - 1;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!isBefore(event, heap[parent])) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = event;
  }

  #siftDown(event: ScheduledEvent): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child += 1;
      if (child >= heap.length || !isBefore(heap[child], event)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = event;
  }
}

function isBefore(a: ScheduledEvent, b: ScheduledEvent): boolean {
  return a.timePs < b.timePs || (a.timePs === b.timePs && a.sequence < b.sequence);
}
