/** State that the components of a run share: events, random numbers, packets, queue counters, and the trace. */
import { EventList } from './event-list.js';
import { PacketPool } from './packet.js';

/**
 * Receives each event of a run in order: its two or three letters and its values, as in the golden traces. The time is
 * the first value.
 */
export type UetTrace = (timePs: number, event: string, ...values: (number | string)[]) => void;

/** Counters summed over all switch queues. */
export interface QueueCounts {
  /** Number of marked data packets. */
  ecnMarks: number;
  trims: number;
  /** Whole data packets dropped. */
  drops: number;
  headerDrops: number;
  /** How often a queue replaced its newest packet by the arriving one. */
  tailSwaps: number;
  /** The deepest queues, in bytes. */
  maxLowBytes: number;
  maxHighBytes: number;
}

export class RunContext {
  readonly events: EventList;
  readonly random: MersenneTwister;
  readonly pool = new PacketPool();
  readonly trace: UetTrace | undefined;
  readonly counts: QueueCounts = {
    ecnMarks: 0,
    trims: 0,
    drops: 0,
    headerDrops: 0,
    tailSwaps: 0,
    maxLowBytes: 0,
    maxHighBytes: 0,
  };

  constructor(endPs: number, seed: number, trace?: UetTrace) {
    this.events = new EventList(endPs);
    this.random = new MersenneTwister(seed);
    this.trace = trace;
  }
}

const WORDS = 624;
const MIDDLE = 397;
const DRAW_MAX = 0x7fff_ffff;

/**
 * MT19937, the only random generator of the reference. Switch salts, path selection, ECN, the coin toss of a full queue
 * and shuffles share it, so the number of draws is part of a run's results.
 *
 *   x(k+624) = x(k+397) ^ ((x(k) & 0x80000000 | x(k+1) & 0x7fffffff) A);   draw = tempered x without its top bit
 *
 * Source: Matsumoto, Nishimura, "Mersenne Twister", ACM TOMACS 8, 1998; the seeding is that of their code of 2002.
 */
export class MersenneTwister {
  readonly #state = new Int32Array(WORDS);
  #next = WORDS;
  #draws = 0;

  /** @param seed 0 to 2^32 - 1. */
  constructor(seed: number) {
    const state = this.#state;
    state[0] = seed;
    for (let i = 1; i < WORDS; i += 1) {
      state[i] = Math.imul(1_812_433_253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    }
  }

  /** Number of draws so far, fractions included. */
  get draws(): number {
    return this.#draws;
  }

  /** Draws a whole number, 0 to 2^31 - 1. */
  draw(): number {
    if (this.#next === WORDS) this.#refill();
    this.#draws += 1;
    let word = this.#state[this.#next];
    this.#next += 1;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c_5680;
    word ^= (word << 15) & 0xefc6_0000;
    return (word ^ (word >>> 18)) & DRAW_MAX;
  }

  /** Draws a fraction, 0 to 1, both included. */
  fraction(): number {
    return this.draw() / DRAW_MAX;
  }

  /** Shuffles in place, with one draw per member. */
  shuffle(members: unknown[]): void {
    for (let last = members.length - 1; last >= 0; last -= 1) {
      const chosen = this.draw() % (last + 1);
      const moved = members[chosen];
      members[chosen] = members[last];
      members[last] = moved;
    }
  }

  #refill(): void {
    const state = this.#state;
    for (let i = 0; i < WORDS; i += 1) {
      const word = (state[i] & 0x8000_0000) | (state[(i + 1) % WORDS] & DRAW_MAX);
      state[i] = state[(i + MIDDLE) % WORDS] ^ (word >>> 1) ^ (word & 1 ? 0x9908_b0df : 0);
    }
    this.#next = 0;
  }
}
