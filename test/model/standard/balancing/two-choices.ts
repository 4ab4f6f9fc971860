/** Per packet, of two random egress ports the one with fewer bytes waiting. */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { Below, QueueOf, EgressChooser, NextHops } from './egress-chooser.js';

export class TwoChoices implements EgressChooser {
  readonly #queueOf: QueueOf;
  readonly #below: Below;

  constructor(queueOf: QueueOf, below: Below) {
    this.#queueOf = queueOf;
    this.#below = below;
  }

  choose(_packet: Packet, { open }: NextHops): Port {
    const [first, second] = [open[this.#below(open.length)], open[this.#below(open.length)]];
    return this.#queueOf(second) < this.#queueOf(first) ? second : first;
  }
}
