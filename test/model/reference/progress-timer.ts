/**
 * A timeout from the last progress on: it begins with a flow's first packet; nothing acknowledged for the whole of it:
 * back to what is not.
 *
 * Where the timeout adapts, a flow is waited for longer, as queues on its path may hold its packets (`pathTimeoutPs`).
 *
 * One is pending at a time; it is set again when it comes, while there is something to wait for.
 */
import type { World } from '../network.js';
import type { RetransmitTimer, SendingFlow } from '../parts.js';

export class ProgressTimer implements RetransmitTimer {
  readonly #world: World;
  readonly #queuePair: SendingFlow;
  readonly #onTimeout: () => void;
  /** 0 = none. */
  readonly #timeoutPs: number;
  #pending = false;

  constructor(world: World, queuePair: SendingFlow, onTimeout: () => void) {
    const { plan: { nodes, rules } } = world;
    this.#world = world;
    this.#queuePair = queuePair;
    this.#onTimeout = onTimeout;
    this.#timeoutPs = nodes[queuePair.flow.source].retransmitTimeoutPs ?? rules.retransmitTimeoutPs;
  }

  beforeTransmit(): void {
    if (this.#timeoutPs > 0) this.#await(this.#world.events.nowPs + this.#timeoutPs);
  }

  afterTransmit(): void {
    // It began before.
  }

  onResponse(): void {
    // Progress is looked at when the timer comes.
  }

  stop(): void {
    // It finds a finished flow.
  }

  #await(timePs: number): void {
    if (this.#pending) return;
    this.#pending = true;
    this.#world.events.schedule(timePs, () => {
      this.#pending = false;
      this.#queuePair.recovery.skipReceived();
      if (!this.#queuePair.isFinished && this.#queuePair.sndNxt > this.#queuePair.sndUna) this.#expire();
    });
  }

  #expire(): void {
    const { nowPs } = this.#world.events;
    const { lastProgressPs, flow: { pathTimeoutPs = 0 } } = this.#queuePair;
    const duePs = lastProgressPs + (lastProgressPs + this.#timeoutPs > nowPs ? this.#timeoutPs : pathTimeoutPs);
    if (duePs > nowPs) {
      this.#await(duePs);
      return;
    }
    this.#queuePair.recovery.goBack(nowPs);
    this.#await(nowPs + this.#timeoutPs);
    this.#onTimeout();
  }
}
