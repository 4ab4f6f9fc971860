/** A sender whose congestion control is driven only by ACKs; it wraps one of the reference models unchanged. */
import { PACES } from '../../src/abi/algorithms.js';
import { factsOf, type AckParameters } from '../../src/config/algorithms/registry.js';
import type { Ack } from '../../src/reference/algorithms/ack.js';
import { makeModel, type AckModel } from '../../src/reference/algorithms/registry.js';
import type { SenderControl } from './sender-control.js';

export class AckSender implements SenderControl {
  readonly #model: AckModel;
  readonly #paces: boolean;

  constructor(parameters: AckParameters) {
    this.#model = makeModel(parameters);
    this.#paces = (factsOf(parameters).traits & PACES) !== 0;
  }

  get rateBps(): number {
    return this.#model.rateBps;
  }

  onSent(timePs: number, lenBytes: number): void {
    this.#model.onSent(timePs, lenBytes);
  }

  onAck(ack: Ack): number | undefined {
    const beforePs = this.#model.nextSendPs;
    const outcome = this.#model.onAck(ack);
    const rateSet = this.#model.rateSet ?? (outcome === 'update' || outcome === 'fast');
    if (!this.#paces || !rateSet) return undefined;
    return this.#model.nextSendPs - beforePs;
  }

  stop(): void {
    // It has no timers.
  }
}
