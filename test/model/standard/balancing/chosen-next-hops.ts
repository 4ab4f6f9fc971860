/** The balancer of `standard`, which applies one of the rules here if data has more than one next hop. */
import { DataBalancer } from '../../data-balancer.js';
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { Forwarder } from '../../parts.js';
import type { EgressChooser, NextHops } from './egress-chooser.js';

export class ChosenNextHops extends DataBalancer {
  readonly #chooser: EgressChooser;

  constructor(forwarder: Forwarder, chooser: EgressChooser) {
    super(forwarder);
    this.#chooser = chooser;
  }

  protected override choose(packet: Packet): Port | undefined {
    const nextHops = nextHopsOf(this.forwarder, packet);
    return nextHops.open.length > 1 ? this.#chooser.choose(packet, nextHops) : nextHops.open[0];
  }
}

export function nextHopsOf(forwarder: Forwarder, packet: Packet): NextHops {
  const planned = forwarder.nextHops(packet);
  return {
    key: planned.map(({ index }) => index).join(),
    all: planned,
    planned: planned.length,
    open: forwarder.openNextHops(packet),
  };
}
