/**
 * A timer for each MRC packet from its last transmission. The first intervals equal the timeout; then each consecutive
 * timeout doubles the interval.
 *
 * Packets are checked when the first of their timers expires, and at least once per timeout while anything is in
 * flight.
 */
import type { MrcPlan } from '../../../src/sim/features/transports/plan.js';
import type { World } from '../network.js';
import type { RetransmitTimer, SendingFlow } from '../parts.js';
import type { StandardMrc } from './mrc.js';

export class PacketTimers implements RetransmitTimer {
  readonly #world: World;
  readonly #queuePair: SendingFlow;
  readonly #recovery: StandardMrc;
  readonly #plan: MrcPlan;
  /** Called with the number of retries to count. */
  readonly #onTimeout: (draws: number) => void;
  /** 0: no timeout. */
  readonly #firstPs: number;
  readonly #timeoutPs: number;
  #pending = false;
  /** Called with a function that restarts the timer when it expires with nothing in flight. */
  whenIdle: ((awaitUntil: (timePs: number) => void) => void) | undefined;
  #inRow = 0;
  #progressBytes = 0;
  #countedPs = 0;

  constructor(world: World, queuePair: SendingFlow, { recovery, plan }: {
    readonly recovery: StandardMrc;
    readonly plan: MrcPlan;
  }, onTimeout: (draws: number) => void) {
    const { plan: { nodes, rules } } = world;
    this.#world = world;
    this.#queuePair = queuePair;
    this.#recovery = recovery;
    this.#plan = plan;
    this.#onTimeout = onTimeout;
    this.#firstPs = nodes[queuePair.flow.source].retransmitTimeoutPs ?? rules.retransmitTimeoutPs;
    this.#timeoutPs = Math.max(this.#firstPs, queuePair.flow.pathTimeoutPs ?? 0);
  }

  beforeTransmit(): void {
    if (this.#firstPs > 0) this.#await(this.#world.events.nowPs + this.#firstPs);
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

  get #intervalPs(): number {
    const doublings = Math.min(20, Math.max(0, this.#inRow - this.#plan.linearTimeouts + 1));
    return this.#timeoutPs * 2 ** doublings;
  }

  #await(timePs: number): void {
    if (this.#pending) return;
    this.#pending = true;
    this.#world.events.schedule(timePs, () => {
      this.#pending = false;
      if (this.#queuePair.isFinished) return;
      if (this.#recovery.inFlightBytes > 0) this.#poll();
      else this.whenIdle?.((nextPs) => {
          this.#await(nextPs);
        });
    });
  }

  #poll(): void {
    const { nowPs } = this.#world.events;
    const { progressBytes } = this.#recovery;
    if (progressBytes > this.#progressBytes) this.#inRow = 0;
    this.#progressBytes = progressBytes;
    const sentPs = this.#recovery.loseSentBy(nowPs - this.#intervalPs);
    const isNewRound = sentPs.some((timePs) => timePs >= this.#countedPs);
    const draws = this.#plan.timeoutsCount === 'packets' ? sentPs.length : Number(isNewRound);
    if (draws > 0) this.#countedPs = nowPs;
    this.#inRow += draws;
    this.#await(Math.min(this.#recovery.oldestSentPs(nowPs) + this.#intervalPs, nowPs + this.#timeoutPs));
    if (sentPs.length > 0) this.#onTimeout(draws);
  }
}
