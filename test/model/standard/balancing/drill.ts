/**
 * DRILL(d, m) by its paper (SIGCOMM 2017, section 3.2): each packet takes the shortest of d random queues and m
 * remembered ones; the m shortest of these are then remembered. Of equal queues, remembered ones come first, then
 * earlier draws.
 */
import type { DrillPlan } from '../../../../src/sim/features/balancing/plan.js';
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { Below, QueueOf, EgressChooser, NextHops } from './egress-chooser.js';

export class DrillOfPaper implements EgressChooser {
  readonly #plan: DrillPlan;
  readonly #queueOf: QueueOf;
  readonly #below: Below;
  readonly #memory = new Map<string, readonly Port[]>();

  constructor(plan: DrillPlan, queueOf: QueueOf, below: Below) {
    this.#plan = plan;
    this.#queueOf = queueOf;
    this.#below = below;
  }

  choose(_packet: Packet, { key, planned, open }: NextHops): Port {
    const remembered = (this.#memory.get(key) ?? []).filter((port) => open.includes(port));
    const polled = [...new Set([...remembered, ...this.#draw(open)])];
    // The sort is stable, so equal queues keep their order.
    const sorted = polled.sort((a, b) => this.#queueOf(a) - this.#queueOf(b));
    this.#memory.set(key, sorted.slice(0, Math.min(this.#plan.memory, planned)));
    return sorted[0];
  }

  /** Floyd's sampling: for each of the last d indexes a draw up to it, or the index itself if already drawn. */
  #draw(open: readonly Port[]): Port[] {
    const { samples } = this.#plan;
    if (samples >= open.length) return [...open];
    const drawn: Port[] = [];
    for (let last = open.length - samples; last < open.length; last += 1) {
      const port = open[this.#below(last + 1)];
      drawn.push(drawn.includes(port) ? open[last] : port);
    }
    return drawn;
  }
}
