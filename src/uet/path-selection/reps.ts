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
import type { EventList } from '../event-list.js';
import type { MersenneTwister } from '../mersenne-twister.js';
import { rejectRepsTimeout } from '../rejections.js';
import type { PathFeedback, PathSelector } from './path-selector.js';

const SLOTS = 8;
const FROZEN_PS = 10e9;
const EXPLORED = 16;

export class RepsSelector implements PathSelector {
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
