/** A switch of `standard` that chooses data's exit by one of the rules here; where there is one exit alone, that one. */
import { DataBalancer } from '../../data-balancer.js';
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { Forwarder } from '../../parts.js';
import type { ExitChooser, Exits } from './exit-chooser.js';

export class ChosenExits extends DataBalancer {
  readonly #chooser: ExitChooser;

  constructor(forwarder: Forwarder, chooser: ExitChooser) {
    super(forwarder);
    this.#chooser = chooser;
  }

  protected override choose(packet: Packet): Port | undefined {
    const exits = exitsOf(this.forwarder, packet);
    return exits.open.length > 1 ? this.#chooser.choose(packet, exits) : exits.open[0];
  }
}

export function exitsOf(forwarder: Forwarder, packet: Packet): Exits {
  const planned = forwarder.exits(packet);
  return {
    key: planned.map(({ index }) => index).join(),
    planned: planned.length,
    open: forwarder.openExits(packet),
  };
}
