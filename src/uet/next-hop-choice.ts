/**
 * How a switch chooses among several next hops (`-strat`). A single next hop needs no random draw and no hash.
 *
 *   hash            ecmp_host, ecmp_host_ecn, reactive_ecn: hash(flow id, entropy value, salt) mod n
 *   round robin     ecmp_rr: packets of 128 bytes or more, reshuffled after each round; smaller packets are hashed
 *                   rr_ecmp: all packets, at leaves only, reshuffled after five rounds; hashed elsewhere
 *   adaptive        ecmp_ar: the least loaded; packets below 100 bytes are hashed
 *   host-adaptive   ecmp_host_ar: hashed; if the hashed one has the highest load, half of the time the least loaded instead
 *
 * The load is the level of a queue, 0 to 3. As in the reference, `-ar_method bandwidth` compares a utilization that is
 * always 0.
 */
import type { SwitchTier } from './network-plan.js';
import type { Packet } from './packet.js';
import type { RunContext } from './run-context.js';
import type { SwitchQueue } from './queues.js';

export const STRATEGIES = [
  'ecmp_host',
  'ecmp_host_ecn',
  'reactive_ecn',
  'ecmp_rr',
  'rr_ecmp',
  'ecmp_ar',
  'ecmp_host_ar',
] as const;
export type Strategy = (typeof STRATEGIES)[number];

export interface NextHopChoice {
  /** @param nextHops two or more next hops; round robin may shuffle them. */
  choose(at: ChoosingSwitch, nextHops: SwitchQueue[], packet: Packet): SwitchQueue;
}

/** The switch at which a choice is made. */
export interface ChoosingSwitch {
  readonly tier: SwitchTier;
  /** Salt of the switch's hash. */
  readonly salt: number;
}

/** Options of adaptive routing. */
export interface AdaptiveSettings {
  readonly method: 'queue' | 'bandwidth';
  readonly granularity: 'packet' | 'flow';
  /** A flow that was idle for longer than this may change its output. */
  readonly stickyPs: number;
}

const ROUND_ROBIN_BYTES_MIN = 128;
const ADAPTIVE_BYTES_MIN = 100;
const ROUNDS_AT_LEAF = 5;

/** Makes the choice for all switches of a run. */
export function nextHopChoice(context: RunContext, strategy: Strategy, settings: AdaptiveSettings): NextHopChoice {
  switch (strategy) {
    case 'ecmp_rr':
      return new RoundRobinChoice(context);
    case 'rr_ecmp':
      return new LeafRoundRobinChoice(context);
    case 'ecmp_ar':
      return settings.granularity === 'flow' ?
        new StickyChoice(context, settings) :
        new AdaptiveChoice(context, settings);
    case 'ecmp_host_ar':
      return new HostAdaptiveChoice(context, settings);
    default:
      return { choose: hashed };
  }
}

function hashed({ salt }: ChoosingSwitch, nextHops: SwitchQueue[], { flowId, ev }: Packet): SwitchQueue {
  return nextHops[flowHash(flowId, ev, salt) % nextHops.length];
}

/** Round-robin position of each switch, shared by all of its next-hop lists. */
class Rounds {
  readonly #context: RunContext;
  readonly #places = new Map<ChoosingSwitch, number>();

  constructor(context: RunContext) {
    this.#context = context;
  }

  next(at: ChoosingSwitch, nextHops: SwitchQueue[], rounds: number): SwitchQueue {
    let place = this.#places.get(at) ?? 0;
    if (place >= rounds * nextHops.length) {
      place = 0;
      this.#context.random.shuffle(nextHops);
    }
    this.#places.set(at, place + 1);
    return nextHops[place % nextHops.length];
  }
}

class RoundRobinChoice implements NextHopChoice {
  readonly #rounds: Rounds;

  constructor(context: RunContext) {
    this.#rounds = new Rounds(context);
  }

  choose(at: ChoosingSwitch, nextHops: SwitchQueue[], packet: Packet): SwitchQueue {
    if (packet.sizeBytes < ROUND_ROBIN_BYTES_MIN) return hashed(at, nextHops, packet);
    return this.#rounds.next(at, nextHops, 1);
  }
}

class LeafRoundRobinChoice implements NextHopChoice {
  readonly #rounds: Rounds;

  constructor(context: RunContext) {
    this.#rounds = new Rounds(context);
  }

  choose(at: ChoosingSwitch, nextHops: SwitchQueue[], packet: Packet): SwitchQueue {
    return at.tier === 'tor' ? this.#rounds.next(at, nextHops, ROUNDS_AT_LEAF) : hashed(at, nextHops, packet);
  }
}

/** Draws one of the least loaded next hops. */
class LeastLoaded {
  readonly #context: RunContext;
  readonly #isByQueue: boolean;

  constructor(context: RunContext, { method }: AdaptiveSettings) {
    this.#context = context;
    this.#isByQueue = method === 'queue';
  }

  level(queue: SwitchQueue): number {
    return this.#isByQueue ? queue.level() : 0;
  }

  /** Draws a random number even if only one next hop is least loaded. */
  draw(nextHops: readonly SwitchQueue[]): SwitchQueue {
    let least: SwitchQueue[] = [];
    let levelMin = Infinity;
    for (const queue of nextHops) {
      const level = this.level(queue);
      if (level < levelMin) least = [];
      levelMin = Math.min(level, levelMin);
      if (level === levelMin) least.push(queue);
    }
    return least[this.#context.random.draw() % least.length];
  }
}

class AdaptiveChoice implements NextHopChoice {
  readonly #load: LeastLoaded;

  constructor(context: RunContext, settings: AdaptiveSettings) {
    this.#load = new LeastLoaded(context, settings);
  }

  choose(at: ChoosingSwitch, nextHops: SwitchQueue[], packet: Packet): SwitchQueue {
    if (packet.sizeBytes < ADAPTIVE_BYTES_MIN) return hashed(at, nextHops, packet);
    return this.#load.draw(nextHops);
  }
}

/** State of a flow at a switch. */
interface Flowlet {
  output: SwitchQueue;
  lastPs: number;
}

/** Adaptive routing in which a flow keeps its output until it was idle. */
class StickyChoice implements NextHopChoice {
  readonly #context: RunContext;
  readonly #load: LeastLoaded;
  readonly #stickyPs: number;
  readonly #flowlets = new Map<ChoosingSwitch, Map<number, Flowlet>>();

  constructor(context: RunContext, settings: AdaptiveSettings) {
    this.#context = context;
    this.#load = new LeastLoaded(context, settings);
    this.#stickyPs = settings.stickyPs;
  }

  choose(at: ChoosingSwitch, nextHops: SwitchQueue[], packet: Packet): SwitchQueue {
    if (packet.sizeBytes < ADAPTIVE_BYTES_MIN) return hashed(at, nextHops, packet);
    const flowlets = this.#flowletsOf(at);
    const { nowPs } = this.#context.events;
    const flowlet = flowlets.get(packet.flowId);
    if (flowlet === undefined) {
      const output = this.#load.draw(nextHops);
      flowlets.set(packet.flowId, { output, lastPs: nowPs });
      return output;
    }
    if (nowPs - flowlet.lastPs > this.#stickyPs && this.#context.random.draw() % 2 === 0) {
      const other = this.#load.draw(nextHops);
      if (this.#load.level(other) < this.#load.level(flowlet.output)) flowlet.output = other;
    }
    flowlet.lastPs = nowPs;
    return flowlet.output;
  }

  #flowletsOf(at: ChoosingSwitch): Map<number, Flowlet> {
    let flowlets = this.#flowlets.get(at);
    if (flowlets === undefined) {
      flowlets = new Map();
      this.#flowlets.set(at, flowlets);
    }
    return flowlets;
  }
}

class HostAdaptiveChoice implements NextHopChoice {
  readonly #context: RunContext;
  readonly #load: LeastLoaded;

  constructor(context: RunContext, settings: AdaptiveSettings) {
    this.#context = context;
    this.#load = new LeastLoaded(context, settings);
  }

  choose(at: ChoosingSwitch, nextHops: SwitchQueue[], packet: Packet): SwitchQueue {
    const own = hashed(at, nextHops, packet);
    if (this.#context.random.draw() % 100 >= 50) return own;
    const worst = Math.max(...nextHops.map((queue) => this.#load.level(queue)));
    return this.#load.level(own) === worst ? this.#load.draw(nextHops) : own;
  }
}

/**
 * The ECMP hash of the reference: Jenkins' mix of three words, all modulo 2^32.
 *
 *   a = golden + flow id, b = golden + salt of the switch, c = entropy value; nine steps x := (x - y - z) ^ shifted z
 *
 * Source: Bob Jenkins, "Hash functions", Dr. Dobb's Journal, 1997.
 */

const GOLDEN = 0x9e37_79b9;

/** A flow's id as the hash uses it, 0 to 2^32 - 1. */
export function flowWord(flowId: number): number {
  return (GOLDEN + flowId) >>> 0;
}

/** Hash of a flow id, an entropy value and a switch's salt, 0 to 2^32 - 1. */
export function flowHash(flowId: number, ev: number, salt: number): number {
  let a = flowWord(flowId) | 0;
  let b = (GOLDEN + salt) | 0;
  let c = ev | 0;
  a = (a - b - c) ^ (c >>> 13);
  b = (b - c - a) ^ (a << 8);
  c = (c - a - b) ^ (b >>> 13);
  a = (a - b - c) ^ (c >>> 12);
  b = (b - c - a) ^ (a << 16);
  c = (c - a - b) ^ (b >>> 5);
  a = (a - b - c) ^ (c >>> 3);
  b = (b - c - a) ^ (a << 10);
  c = (c - a - b) ^ (b >>> 15);
  return c >>> 0;
}
