/** State that the components of a run share: events, random numbers, packets, queue counters, and the trace. */
import { EventList } from './event-list.js';
import { MersenneTwister } from './mersenne-twister.js';
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
