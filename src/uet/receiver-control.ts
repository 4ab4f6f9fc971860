/**
 * RCCC, receiver-based congestion control: the credit of a sender, the pull pacer of a host, and the control of
 * oversubscribed networks, which slows the pacer down.
 */
import type { OversubscribedOptions } from './arguments.js';
import { SimEvent } from './event-list.js';
import type { FatTree } from './fat-tree.js';
import { Fifo } from './fifo.js';
import type { SharedWindow } from './flow.js';
import type { UetParameters } from './parameters.js';
import type { RunContext } from './run-context.js';

export const QUANTUM_BYTES = 256;
/** First pull number; large, so that lower targets don't become negative. */
export const FIRST_PULL = 100_000_000;

/** Input of the pull target, in bytes; `senders` is the number of senders queued at the NIC. */
interface CreditDemand {
  readonly backlogBytes: number;
  /** Bytes waiting for retransmission. */
  readonly queuedBytes: number;
  readonly windowBytes: number;
  readonly maxBytes: number;
  readonly mtuBytes: number;
  readonly senders: number;
}

/**
 * Credit of a sender under receiver-based control, in bytes. It starts at the maximum window (speculation, until the first
 * feedback). Sending requires credit above 0 and consumes the full packet size, so credit can go negative by up to a packet.
 *
 *   pull p > last: credit := min(credit + 256 (p - last), largest window)
 *   target = ceil((min(backlog, window, largest window) - credit) / senders at the NIC + 256 last) / 256);
 *            while speculating, at least one MTU is requested
 */
export class Credit {
  bytes = 0;
  lastPull = FIRST_PULL;
  isSpeculating = true;

  /** @param maxBytes maximum window. */
  pull(pullNumber: number, maxBytes: number): void {
    if (pullNumber <= this.lastPull) return;
    this.bytes = Math.min(this.bytes + QUANTUM_BYTES * (pullNumber - this.lastPull), maxBytes);
    this.lastPull = pullNumber;
  }

  /** The pull number to request. */
  target({ backlogBytes, queuedBytes, windowBytes, maxBytes, mtuBytes, senders }: CreditDemand): number {
    let bytes = Math.min(backlogBytes + queuedBytes, windowBytes, maxBytes) - this.bytes;
    if (this.isSpeculating && bytes < mtuBytes && backlogBytes > 0) bytes = mtuBytes;
    if (senders > 1) bytes = Math.trunc(bytes / senders);
    bytes += QUANTUM_BYTES * this.lastPull;
    return Math.floor((bytes + QUANTUM_BYTES - 1) / QUANTUM_BYTES);
  }

  stopSpeculating(): void {
    if (!this.isSpeculating) return;
    this.isSpeculating = false;
    this.bytes = Math.min(this.bytes, 0);
  }
}

const QUANTA = 64;
const QUANTA_IF_NONE = 4;
const BITS_PER_QUANTUM_PS = 2048e12;
const PACE = 0.99;

/** Time of 256 bytes at the pacer's full rate. */
export function quantumPs(linkSpeedBps: number): number {
  return Math.trunc(BITS_PER_QUANTUM_PS / linkSpeedBps / PACE);
}

/** A receiver, as seen by the pacer. */
export interface PullClient {
  pullNumber: number;
  readonly pullTarget: number;
  /** Whether it is in the active list. */
  isActive: boolean;
  sendPull(): void;
}

/**
 * The pull pacer of a host, shared by its receivers.
 *
 *   quantum = trunc((2048e12 / link speed) / 0.99), time of 256 bytes;  a pull grants up to 64 quanta
 *   active   receivers with unmet requests: serve the first, up to its target; then move it to the end, or to idle
 *   idle     if none is active: serve the first, 64 quanta beyond its target, while that is below the maximum window
 *
 * The next pull follows after the time of the quanta granted, or of four if none was. As in the reference, a receiver can be
 * in both lists, or twice in the idle one.
 */
export class PullPacer {
  readonly #context: RunContext;
  readonly #fullQuantumPs: number;
  readonly #shared: SharedWindow;
  readonly #active = new Fifo<PullClient>();
  readonly #idle = new Fifo<PullClient>();
  readonly #turn = new SimEvent(() => this.#run());
  #quantumPs: number;
  #isRunning = false;

  constructor(context: RunContext, linkSpeedBps: number, shared: SharedWindow) {
    this.#context = context;
    this.#shared = shared;
    this.#fullQuantumPs = quantumPs(linkSpeedBps);
    this.#quantumPs = this.#fullQuantumPs;
  }

  /** @param rate fraction of the link speed, above 0; more than 1 counts as 1. */
  setRate(rate: number): void {
    this.#quantumPs = Math.trunc(this.#fullQuantumPs / Math.min(1, rate));
  }

  activate(client: PullClient): void {
    if (client.isActive) return;
    client.isActive = true;
    this.#active.push(client);
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#context.events.schedule(this.#turn, this.#context.events.nowPs);
  }

  #run(): void {
    const quanta = this.#pullActive() ?? this.#pullIdle();
    if (quanta === undefined) {
      this.#isRunning = false;
      return;
    }
    const { events } = this.#context;
    events.schedule(this.#turn, events.nowPs + this.#quantumPs * (quanta === 0 ? QUANTA_IF_NONE : quanta));
  }

  /** Returns the quanta granted; undefined if no receiver is active. */
  #pullActive(): number | undefined {
    const client = this.#active.shift();
    if (client === undefined) return undefined;
    const before = client.pullNumber;
    client.pullNumber = Math.max(Math.min(before + QUANTA, client.pullTarget), before);
    if (client.pullTarget > client.pullNumber) {
      this.#active.push(client);
    } else {
      client.isActive = false;
      this.#idle.push(client);
    }
    client.sendPull();
    return client.pullNumber - before;
  }

  #pullIdle(): number | undefined {
    const client = this.#idle.shift();
    if (client === undefined) return undefined;
    client.pullNumber += QUANTA;
    const beyond = client.pullNumber - client.pullTarget;
    const maxQuanta = Math.floor(this.#shared.maxBytes / QUANTUM_BYTES);
    if (beyond >= 0 && beyond < maxQuanta) this.#idle.push(client);
    client.sendPull();
    return QUANTA;
  }
}

const RTTS = 1.5;
const JITTER_MIN = 0.75;
const MARKS_MAX = 0.3;
const RATE_MIN = 0.01;
const RATIO_SHARE = 0.9;
/** Limit of k, which keeps 2^k finite; larger values would make no difference. */
const DOUBLINGS_MAX = 1000;

/** Values of `-Ai`, `-Md` and `-alpha`, and the lowest rate. */
interface OversubscribedSettings {
  readonly rttPs: number;
  readonly increase: number;
  readonly decrease: number;
  readonly weight: number;
  readonly rateMin: number;
}

/** The settings; undefined if it is off. */
export function oversubscribedSettings({ isOn, isByRatio, increase, decrease, weight }: OversubscribedOptions,
  { oversubscription }: FatTree, { rttPs }: UetParameters): OversubscribedSettings | undefined {
  const isOfRatio = isByRatio && oversubscription > 1;
  if (!isOn && !isOfRatio) return undefined;
  return {
    rttPs,
    increase,
    decrease,
    weight,
    rateMin: isOfRatio ? Math.max(RATE_MIN, RATIO_SHARE / oversubscription) : RATE_MIN,
  };
}

/** Counts of packets that arrive at a host in an interval. */
export class OversubscribedCounts {
  packets = 0;
  marked = 0;
  trimmedLastHop = 0;
  trimmedElsewhere = 0;

  count(isMarked: boolean, isTrimmed: boolean, isLastHop: boolean): void {
    this.packets += 1;
    if (isMarked) this.marked += 1;
    if (isTrimmed && isLastHop) this.trimmedLastHop += 1;
    else if (isTrimmed) this.trimmedElsewhere += 1;
  }

  clear(): void {
    this.packets = 0;
    this.marked = 0;
    this.trimmedLastHop = 0;
    this.trimmedElsewhere = 0;
  }
}

/**
 * Receiver-based control for oversubscribed networks: a host that sees congestion inside the network, not on its own link,
 * slows down its pulls.
 *
 * Every trunc((0.75 + drand / 2) * 1.5 rtt0) ps, with the packets of the interval: P all, E marked, X trimmed at the last
 * hop, Y trimmed elsewhere:
 *
 *   f = E / (P - X - Y);   Y > 0: rate -= Y / P, down;   g := (1 - w) g + w f;   g > 0.3: rate *= 1 - (g - 0.3) * Md, down
 *   not down: rate += E = 0 ? Ai * 2^k : Ai, k += 1;   down: k := 0;   rate into [min, 1]
 *
 * Ai = 0.01, Md = 0.5, w = 0.5; min = max(0.01, 0.9 / oversubscription), or 0.01 if an option turned it on.
 */
export class OversubscribedControl {
  readonly counts = new OversubscribedCounts();
  readonly #context: RunContext;
  readonly #settings: OversubscribedSettings;
  readonly #pacer: PullPacer;
  readonly #interval = new SimEvent(() => this.#update());
  #rate = 1;
  #marks = 0;
  #doublings = 0;

  constructor(context: RunContext, settings: OversubscribedSettings, pacer: PullPacer) {
    this.#context = context;
    this.#settings = settings;
    this.#pacer = pacer;
    this.#schedule();
  }

  #schedule(): void {
    const { events, random } = this.#context;
    const delayPs = Math.trunc((JITTER_MIN + random.fraction() / 2) * RTTS * this.#settings.rttPs);
    events.schedule(this.#interval, events.nowPs + delayPs);
  }

  #update(): void {
    const { increase } = this.#settings;
    const isDown = this.#isDown();
    if (isDown) {
      this.#doublings = 0;
    } else {
      this.#rate += this.counts.marked === 0 ? increase * 2 ** this.#doublings : increase;
      this.#doublings = Math.min(this.#doublings + 1, DOUBLINGS_MAX);
    }
    this.#rate = Math.min(Math.max(this.#rate, this.#settings.rateMin), 1);
    this.#pacer.setRate(this.#rate);
    this.counts.clear();
    this.#schedule();
  }

  /** Lowers the rate; returns whether it did. */
  #isDown(): boolean {
    const { weight, decrease } = this.#settings;
    const { packets, marked, trimmedLastHop, trimmedElsewhere } = this.counts;
    const whole = packets - trimmedLastHop - trimmedElsewhere;
    const share = whole > 0 ? marked / whole : 0;
    let isDown = false;
    if (trimmedElsewhere > 0) {
      this.#rate -= trimmedElsewhere / packets;
      isDown = true;
    }
    this.#marks = (1 - weight) * this.#marks + weight * share;
    if (this.#marks > MARKS_MAX) {
      this.#rate *= 1 - (this.#marks - MARKS_MAX) * decrease;
      isDown = true;
    }
    return isDown;
  }
}
