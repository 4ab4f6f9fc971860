/** A switch that chooses data's way by a rule of its own; answers go by the hash, and so does what has one way alone. */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { Balancer, Forwarder } from '../../parts.js';
import type { WayChooser, Ways } from './way-chooser.js';

export class ChosenWays implements Balancer {
  readonly #forwarder: Forwarder;
  readonly #chooser: WayChooser;

  constructor(forwarder: Forwarder, chooser: WayChooser) {
    this.#forwarder = forwarder;
    this.#chooser = chooser;
  }

  receive(packet: Packet, arrival: Port): void {
    const exit = packet.kind === 'data' ? this.#choose(packet) : this.#forwarder.ecmpExit(packet);
    this.#forwarder.forward(packet, arrival, exit);
  }

  waiting(): Iterable<Packet> {
    return [];
  }

  #choose(packet: Packet): Port | undefined {
    const ways = waysOf(this.#forwarder, packet);
    return ways.open.length > 1 ? this.#chooser.choose(packet, ways) : ways.open[0];
  }
}

export function waysOf(forwarder: Forwarder, packet: Packet): Ways {
  const planned = forwarder.exits(packet);
  return {
    key: planned.map(({ index }) => index).join(),
    planned: planned.length,
    open: forwarder.openExits(packet),
  };
}
