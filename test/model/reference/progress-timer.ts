/**
 * A retransmission timer that starts with the first packet of a flow. If nothing is acknowledged for the timeout, the
 * flow goes back to the first unacknowledged byte.
 *
 * An adaptive timeout is longer because queues on the path may delay packets (`pathTimeoutPs`).
 *
 * One timer is pending at a time; it restarts on expiry while anything is unacknowledged.
 */
import type { World } from '../network.js';
import type { RetransmitTimer, SendingFlow } from '../parts.js';

export class ProgressTimer implements RetransmitTimer {
  readonly #world: World;
  readonly #queuePair: SendingFlow;
  readonly #onTimeout: () => void;
  /** 0: no timeout. */
  readonly #timeoutPs: number;
  #pending = false;
  /** Called with a function that restarts the timer when it expires with nothing in flight. */
  whenIdle: ((awaitUntil: (timePs: number) => void) => void) | undefined;

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
    // The timer is already running.
  }

  onResponse(): void {
    // Progress is checked when the timer expires.
  }

  stop(): void {
    // The flow has finished.
  }

  #await(timePs: number): void {
    if (this.#pending) return;
    this.#pending = true;
    this.#world.events.schedule(timePs, () => {
      this.#pending = false;
      this.#queuePair.recovery.skipReceived();
      if (this.#queuePair.isFinished) return;
      if (this.#isAnythingInFlight()) this.#expire();
      else this.whenIdle?.((nextPs) => {
          this.#await(nextPs);
        });
    });
  }

  /** Under selective retransmission the first lost packet may wait while later ones are in flight. */
  #isAnythingInFlight(): boolean {
    const { recovery: { inFlightBytes }, sndNxt, sndUna } = this.#queuePair;
    return inFlightBytes === undefined ? sndNxt > sndUna : inFlightBytes > 0;
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
