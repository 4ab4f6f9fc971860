/** A sender of the plain network model that acts on acknowledgements alone: one of the readable models, as it is. */
import { factsOf, type AckParameters } from '../../config/algorithms/registry.js';
import type { Ack } from '../../reference/algorithms/ack.js';
import { makeModel, type AckModel } from '../../reference/algorithms/registry.js';
import { HpccModel } from '../../reference/algorithms/hpcc/model.js';
import type { SenderControl } from './sender-control.js';

export class AckSender implements SenderControl {
  readonly #model: AckModel;
  readonly #movesNextSend: boolean;

  constructor(parameters: AckParameters) {
    this.#model = makeModel(parameters);
    this.#movesNextSend = factsOf(parameters).movesNextSend === true;
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
    const rateSet = this.#model instanceof HpccModel ? this.#model.rateSet : outcome === 'update' || outcome === 'fast';
    if (!this.#movesNextSend || !rateSet) return undefined;
    return this.#model.nextSendPs - beforePs;
  }

  stop(): void {
    // No timers.
  }
}
