/** Path selectors: choose the next entropy value, and take feedback on used ones. */
import type { EventList } from './event-list.js';
import { Fifo } from './fifo.js';
import type { MersenneTwister } from './run-context.js';
import { rejectRepsTimeout } from './rejections.js';

/** Feedback of an ACK, NACK or timeout on the path of its packet. */
export type PathFeedback = 'good' | 'ecn' | 'nack' | 'timeout';

export interface PathSelector {
  /**
   * The entropy value of the next packet.
   * @param seq number of the packet; for a retransmission, number of the next new packet.
   * @param windowPackets congestion window in full payloads, rounded down.
   */
  next(seq: number, windowPackets: number): number;
  /** @param ev entropy value of the packet; 0 for a timeout, as the reference does not store it. */
  feedback(ev: number, feedback: PathFeedback): void;
}

/** Values of `-load_balancing_algo`. */
export const PATH_SELECTORS = ['oblivious', 'bitmap', 'reps', 'reps_legacy', 'mixed'] as const;
export type PathSelectorName = (typeof PATH_SELECTORS)[number];

/** Constructor arguments of a selector. */
export interface PathSelectorParts {
  readonly random: MersenneTwister;
  readonly events: EventList;
  /** Number of paths, a power of two. */
  readonly paths: number;
  readonly isTrimming: boolean;
}

export function pathSelector(name: PathSelectorName,
  { random, events, paths, isTrimming }: PathSelectorParts): PathSelector {
  switch (name) {
    case 'oblivious':
      return new ObliviousSelector(random, paths);
    case 'bitmap':
      return new BitmapSelector(random, paths);
    case 'mixed':
      return new MixedSelector(random, paths);
    case 'reps_legacy':
      return new RepsLegacySelector(random, paths);
    case 'reps':
      return new RepsSelector(random, events, { paths, isTrimming });
  }
}

const TOP_RANGE = 65_535;

/** The path order that oblivious spraying and the bitmap share. */
class PathRound {
  readonly paths: number;
  readonly #random: MersenneTwister;
  readonly #top: number;
  #mask: number;
  #place = 0;

  constructor(random: MersenneTwister, paths: number) {
    this.paths = paths;
    this.#random = random;
    this.#top = (random.draw() % TOP_RANGE) & ~(paths - 1);
    this.#mask = random.draw() % paths;
  }

  /** Number of the current path, 0 to N - 1. */
  get path(): number {
    return (this.#place ^ this.#mask) & (this.paths - 1);
  }

  get ev(): number {
    return this.path | this.#top;
  }

  advance(): void {
    this.#place += 1;
    if (this.#place < this.paths) return;
    this.#place = 0;
    this.#mask = this.#random.draw() & (this.paths - 1);
  }
}

/**
 * Oblivious spraying: round robin over all paths, in an order that changes after each round.
 *
 *   EV = ((i ^ x) & (N - 1)) | (top & ~(N - 1)),   i = 0 to N - 1;  after a round x is drawn again
 *
 * N is a power of two. `top` is drawn once per flow.
 */
class ObliviousSelector implements PathSelector {
  readonly #round: PathRound;

  constructor(random: MersenneTwister, paths: number) {
    this.#round = new PathRound(random, paths);
  }

  next(): number {
    const { ev } = this.#round;
    this.#round.advance();
    return ev;
  }

  feedback(): void {
    // Oblivious: no feedback changes the order.
  }
}

const PENALTY_MAX = 15;
const PENALTIES: Readonly<Record<PathFeedback, number>> = { good: 0, ecn: 1, nack: 4, timeout: 15 };

/**
 * Bitmap: oblivious spraying that skips paths with a penalty.
 *
 *   penalty, 0 to 15: ECN + 1, NACK + 4, timeout + 15
 *   next: while the current path has a penalty, advance, at most N times; the penalty of the first skipped path falls by 1
 */
class BitmapSelector implements PathSelector {
  readonly #round: PathRound;
  readonly #penalties: Uint8Array;

  constructor(random: MersenneTwister, paths: number) {
    this.#round = new PathRound(random, paths);
    this.#penalties = new Uint8Array(paths);
  }

  next(): number {
    const round = this.#round;
    const penalties = this.#penalties;
    if (penalties[round.path] > 0) penalties[round.path] -= 1;
    else return this.#use();
    for (let skipped = 0; skipped < round.paths; skipped += 1) {
      round.advance();
      if (penalties[round.path] === 0) break;
    }
    return this.#use();
  }

  feedback(ev: number, feedback: PathFeedback): void {
    const path = ev & (this.#round.paths - 1);
    this.#penalties[path] = Math.min(this.#penalties[path] + PENALTIES[feedback], PENALTY_MAX);
  }

  #use(): number {
    const { ev } = this.#round;
    this.#round.advance();
    return ev;
  }
}

/** Mixed: reuses entropy values with good feedback, oldest first; without any, the bitmap chooses. */
class MixedSelector implements PathSelector {
  readonly #bitmap: BitmapSelector;
  readonly #good = new Fifo<number>();

  constructor(random: MersenneTwister, paths: number) {
    this.#bitmap = new BitmapSelector(random, paths);
  }

  next(): number {
    return this.#good.shift() ?? this.#bitmap.next();
  }

  feedback(ev: number, feedback: PathFeedback): void {
    this.#bitmap.feedback(ev, feedback);
    if (feedback === 'good') this.#good.push(ev);
  }
}

/**
 * The first version of REPS: round robin over all paths, from path 1 on, within the first window or the first N packets; then
 * entropy values with good feedback, oldest first; without any, a random path.
 */
class RepsLegacySelector implements PathSelector {
  readonly #random: MersenneTwister;
  readonly #paths: number;
  readonly #good = new Fifo<number>();
  #path = 0;

  constructor(random: MersenneTwister, paths: number) {
    this.#random = random;
    this.#paths = paths;
  }

  next(seq: number, windowPackets: number): number {
    if (seq < Math.min(windowPackets, this.#paths)) this.#path = (this.#path + 1) % this.#paths;
    else this.#path = this.#good.shift() ?? this.#random.draw() % this.#paths;
    return this.#path;
  }

  feedback(ev: number, feedback: PathFeedback): void {
    if (feedback === 'good') this.#good.push(ev);
  }
}

const SLOTS = 8;
const FROZEN_PS = 10e9;
const EXPLORED = 16;

/**
 * REPS (recycled entropies for packet spraying): a ring of eight entropy values with good feedback.
 *
 *   good       overwrites the slot at the head and marks it fresh
 *   next       exploring, or nothing fresh: random;  else the oldest fresh value, which is then no longer fresh
 *   timeout    freezes for 10 ms, unless exploring: round robin over the slots, fresh or not
 *   feedback   after the 10 ms: the ring is cleared and 16 values are explored
 *
 * Without trimming, the reference ends at a timeout in REPS, so this model rejects the run.
 */
class RepsSelector implements PathSelector {
  readonly #random: MersenneTwister;
  readonly #events: EventList;
  readonly #paths: number;
  readonly #isTrimming: boolean;
  readonly #values = new Uint16Array(SLOTS);
  readonly #isFresh = new Array<boolean>(SLOTS).fill(false);
  #head = 0;
  /** Number of used slots, 0 to 8, and of fresh ones among them. */
  #count = 0;
  #fresh = 0;
  #toExplore = 0;
  #isFrozen = false;
  #frozenUntilPs = 0;
  /** The next slot while frozen. */
  #frozenSlot = 0;

  constructor(random: MersenneTwister, events: EventList,
    options: { readonly paths: number; readonly isTrimming: boolean }) {
    this.#random = random;
    this.#events = events;
    this.#paths = options.paths;
    this.#isTrimming = options.isTrimming;
  }

  next(): number {
    if (this.#toExplore > 0) {
      this.#toExplore -= 1;
      return this.#drawn();
    }
    if (this.#isFrozen) return this.#count === 0 ? this.#drawn() : this.#nextFrozen();
    if (this.#count === 0 || this.#fresh === 0) return this.#drawn();
    return this.#take((this.#head - this.#fresh + SLOTS) % SLOTS);
  }

  feedback(ev: number, feedback: PathFeedback): void {
    if (this.#isFrozen && this.#events.nowPs > this.#frozenUntilPs) this.#unfreeze();
    if (feedback === 'good') this.#add(ev);
    else if (feedback === 'timeout' && !this.#isFrozen && this.#toExplore === 0) this.#freeze();
  }

  #drawn(): number {
    return this.#random.draw() % this.#paths;
  }

  #nextFrozen(): number {
    const slot = this.#frozenSlot;
    this.#frozenSlot = (slot + 1) % this.#count;
    return this.#take(slot);
  }

  #take(slot: number): number {
    if (this.#isFresh[slot]) {
      this.#isFresh[slot] = false;
      this.#fresh -= 1;
    }
    return this.#values[slot];
  }

  #add(ev: number): void {
    const head = this.#head;
    if (!this.#isFresh[head]) this.#fresh += 1;
    this.#isFresh[head] = true;
    this.#values[head] = ev;
    this.#head = (head + 1) % SLOTS;
    this.#count = Math.min(this.#count + 1, SLOTS);
  }

  #freeze(): void {
    if (!this.#isTrimming) rejectRepsTimeout();
    this.#isFrozen = true;
    this.#frozenUntilPs = this.#events.nowPs + FROZEN_PS;
  }

  #unfreeze(): void {
    this.#isFrozen = false;
    this.#head = 0;
    this.#count = 0;
    this.#fresh = 0;
    this.#frozenSlot = 0;
    this.#isFresh.fill(false);
    this.#toExplore = EXPLORED;
  }
}
