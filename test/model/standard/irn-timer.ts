/**
 * The timer of IRN: it runs from the last progress, starts with the first packet and restarts while anything is
 * unacknowledged. It is checked after each low timeout, when the bytes in flight select the low or high one.
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

  /** @param timeouts returns the current timeout. @param checkIntervalPs the low timeout. */
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
    // The timer is already running.
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
