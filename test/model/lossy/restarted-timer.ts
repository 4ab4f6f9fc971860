/**
 * The retransmission timer of the second reference: restarted after each data packet sent, and by each response of an
 * incomplete flow while something is unacknowledged; its expiry does not restart it.
 *
 * Source: docs/specs/reference-lossy.md, section 3.
 */
import type { ScheduledEvent } from '../../../src/sim/event-queue.js';
import type { World } from '../network.js';
import type { RetransmitTimer, SendingFlow } from '../parts.js';

export interface TimerRules {
  /** Timeout of a timer that starts now, picoseconds. */
  timeoutPs(): number;
  /** Whether its expiry has any effect. */
  readonly acts: boolean;
}

export class RestartedTimer implements RetransmitTimer {
  readonly #world: World;
  readonly #queuePair: SendingFlow;
  readonly #rules: TimerRules;
  readonly #onTimeout: () => void;
  #pending: ScheduledEvent | undefined;

  constructor(world: World, queuePair: SendingFlow, rules: TimerRules, onTimeout: () => void) {
    this.#world = world;
    this.#queuePair = queuePair;
    this.#rules = rules;
    this.#onTimeout = onTimeout;
  }

  beforeTransmit(): void {
    // The timer starts after the events of the packet.
  }

  afterTransmit(): void {
    this.#restart();
  }

  onResponse(): void {
    if (this.#queuePair.sndNxt > this.#queuePair.sndUna) this.#restart();
  }

  stop(): void {
    if (this.#pending !== undefined) this.#pending.cancelled = true;
  }

  #restart(): void {
    const { events } = this.#world;
    this.stop();
    this.#pending = events.schedule(events.nowPs + this.#rules.timeoutPs(), () => {
      this.#expire();
    });
  }

  #expire(): void {
    const { events, onStep } = this.#world;
    const queuePair = this.#queuePair;
    queuePair.recovery.skipReceived();
    if (queuePair.isFinished || !this.#rules.acts) return;
    const { index: flow, flow: { source }, sndUna, sndNxt } = queuePair;
    onStep?.(events.nowPs, source, { step: 'timeout', flow, sndUna, sndNxt });
    queuePair.recovery.goBack(events.nowPs);
    this.#onTimeout();
  }
}
