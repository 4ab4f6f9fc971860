/** ECMP: each packet takes the next hop that the hash of its addresses and ports selects. */
import type { Port } from './link-ends.js';
import type { Packet } from './packet.js';
import type { Balancer, Forwarder } from './parts.js';

export class EcmpBalancer implements Balancer {
  readonly #forwarder: Forwarder;

  constructor(forwarder: Forwarder) {
    this.#forwarder = forwarder;
  }

  receive(packet: Packet, arrival: Port): void {
    this.#forwarder.forward(packet, arrival, this.#forwarder.ecmpEgress(packet));
  }

  waiting(): Iterable<Packet> {
    return [];
  }
}
