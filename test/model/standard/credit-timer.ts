/**
 * The timer of a flow under receiver credit, which is that of its transport while packets are in flight. If it expires
 * with nothing in flight and no credit, the flow waits for another timeout and then gets the credit of one packet.
 *
 * Source: the head of assembly/simulator/receiver-credit/sender.ts.
 */
import type { World } from '../network.js';
import type { SendingFlow } from '../parts.js';

export class CreditTimer {
  readonly #world: World;
  readonly #queuePair: SendingFlow;
  readonly #timeoutPs: number;
  readonly #onMiss: () => void;
  #progressPs = 0;

  /** @param onMiss called when the flow may send. */
  constructor(world: World, queuePair: SendingFlow, onMiss: () => void) {
    this.#onMiss = onMiss;
    const { plan: { nodes, rules } } = world;
    const { flow: { source, pathTimeoutPs = 0 } } = queuePair;
    this.#world = world;
    this.#queuePair = queuePair;
    this.#timeoutPs = Math.max(nodes[source].retransmitTimeoutPs ?? rules.retransmitTimeoutPs, pathTimeoutPs);
  }

  noteProgress(): void {
    this.#progressPs = this.#world.events.nowPs;
  }

  /** The timer has expired with nothing in flight. @param awaitUntil sets it again. */
  expire(awaitUntil: (timePs: number) => void): void {
    const { nowPs } = this.#world.events;
    const { hasBytesLeft, lastProgressPs, congestionControl: { credit } } = this.#queuePair;
    if (credit === undefined || credit.hasCredit || !hasBytesLeft) return;
    const duePs = Math.max(lastProgressPs, this.#progressPs) + this.#timeoutPs;
    if (duePs > nowPs) {
      awaitUntil(duePs);
      return;
    }
    this.#progressPs = nowPs;
    credit.miss(nowPs);
    awaitUntil(nowPs + this.#timeoutPs);
    this.#onMiss();
  }
}
