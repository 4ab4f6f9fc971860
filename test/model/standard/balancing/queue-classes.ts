/**
 * Adaptive routing by queue class as in uet-htsim: each packet takes a random egress port of the lowest class. The
 * class is the number of thresholds, in proportion to the port's rate, that the queue has reached; it is up to
 * `refreshPs` old.
 */
import type { AdaptivePlan } from '../../../../src/sim/features/balancing/plan.js';
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { Below, QueueOf, EgressChooser, NextHops } from './egress-chooser.js';

const REFERENCE_RATE_BPS = 100e9;

interface QueueClass {
  readonly number: number;
  readonly sincePs: number;
}

export class QueueClasses implements EgressChooser {
  readonly #plan: AdaptivePlan;
  readonly #now: () => number;
  readonly #queueOf: QueueOf;
  readonly #below: Below;
  readonly #classes = new Map<Port, QueueClass>();

  constructor(plan: AdaptivePlan, now: () => number, queueOf: QueueOf, below: Below) {
    this.#plan = plan;
    this.#now = now;
    this.#queueOf = queueOf;
    this.#below = below;
  }

  choose(_packet: Packet, { open }: NextHops): Port {
    const classes = open.map((port) => this.#classOf(port));
    const lowest = Math.min(...classes);
    const best = open.filter((_, at) => classes[at] === lowest);
    return best.length === 1 ? best[0] : best[this.#below(best.length)];
  }

  #classOf(port: Port): number {
    const { number, sincePs } = this.#classes.get(port) ?? { number: 0, sincePs: 0 };
    if (this.#now() - sincePs <= this.#plan.refreshPs) return number;
    const scale = port.plan.rateBps / REFERENCE_RATE_BPS;
    const queueBytes = this.#queueOf(port);
    const reached = this.#plan.thresholdsBytes.filter((threshold) => queueBytes >= threshold * scale).length;
    this.#classes.set(port, { number: reached, sincePs: this.#now() });
    return reached;
  }
}
