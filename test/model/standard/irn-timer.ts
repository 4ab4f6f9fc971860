/**
 * IRN's timeout, from the last progress on: starts with a flow's first packet, and is set again while anything is unacknowledged.
 * What is in flight decides between low and high when the timer is checked: after each low one, as progress may shorten it.
 */
import type { World } from '../network.js';
import type { RetransmitTimer, SendingFlow } from '../parts.js';

export class IrnTimer implements RetransmitTimer {
  readonly #world: World;
  readonly #queuePair: SendingFlow;
  readonly #timeouts: { readonly timeoutPs: number };
  readonly #checkIntervalPs: number;
  readonly #onTimeout: () => void;
  #pending = false;

  /** @param timeouts the one that applies now. @param checkIntervalPs the low one. */
  constructor(world: World, queuePair: SendingFlow, timeouts: { readonly timeoutPs: number }, checkIntervalPs: number,
    onTimeout: () => void) {
    this.#world = world;
    this.#queuePair = queuePair;
    this.#timeouts = timeouts;
    this.#checkIntervalPs = checkIntervalPs;
    this.#onTimeout = onTimeout;
  }

  beforeTransmit(): void {
    if (!this.#pending) this.#await(this.#world.events.nowPs + this.#checkIntervalPs);
  }

  afterTransmit(): void {
    // It was already running.
  }

  onResponse(): void {
    // Progress is checked when the timer expires.
  }

  stop(): void {
    // The flow has finished.
  }

  #await(timePs: number): void {
    this.#pending = true;
    this.#world.events.schedule(timePs, () => {
      this.#pending = false;
      this.#look();
    });
  }

  #look(): void {
    const queuePair = this.#queuePair;
    const { nowPs } = this.#world.events;
    queuePair.recovery.skipReceived();
    if (queuePair.isFinished || queuePair.sndNxt === queuePair.sndUna) return;
    const duePs = queuePair.lastProgressPs + this.#timeouts.timeoutPs;
    if (duePs > nowPs) {
      this.#await(Math.min(duePs, nowPs + this.#checkIntervalPs));
      return;
    }
    queuePair.recovery.goBack(nowPs);
    this.#await(nowPs + this.#checkIntervalPs);
    this.#onTimeout();
  }
}
