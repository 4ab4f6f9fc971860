/**
 * RCCC: the pull pacer of a host, shared by its receivers.
 *
 *   quantum = trunc((2048e12 / link speed) / 0.99), time of 256 bytes;  a pull grants up to 64 quanta
 *   active   receivers with unmet requests: serve the first, up to its target; then move it to the end, or to idle
 *   idle     if none is active: serve the first, 64 quanta beyond its target, while that is below the maximum window
 *
 * The next pull follows after the time of the quanta granted, or of four if none was. As in the reference, a receiver can be
 * in both lists, or twice in the idle one.
 */
import { SimEvent } from './event-list.js';
import { Fifo } from './fifo.js';
import type { SharedWindow } from './flow.js';
import type { RunContext } from './run-context.js';

/**
 * Credit of a sender under receiver-based control, in bytes. It starts at the maximum window (speculation, until the first
 * feedback). Sending requires credit above 0 and consumes the full packet size, so credit can go negative by up to a packet.
 *
 *   pull p > last: credit := min(credit + 256 (p - last), largest window)
 *   target = ceil((min(backlog, window, largest window) - credit) / senders at the NIC + 256 last) / 256);
 *            while speculating, at least one MTU is requested
 */

export const QUANTUM_BYTES = 256;
/** First pull number; large, so that lower targets don't become negative. */
export const FIRST_PULL = 100_000_000;

/** Input of the pull target, in bytes; `senders` is the number of senders queued at the NIC. */
export interface CreditDemand {
  readonly backlogBytes: number;
  /** Bytes waiting for retransmission. */
  readonly queuedBytes: number;
  readonly windowBytes: number;
  readonly maxBytes: number;
  readonly mtuBytes: number;
  readonly senders: number;
}

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
