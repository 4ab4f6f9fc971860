/** A balancer that chooses the next hop of data by its own rule and that of responses by the ECMP hash. */
import type { Port } from './link-ends.js';
import type { Packet } from './packet.js';
import type { Balancer, Forwarder } from './parts.js';

export abstract class DataBalancer implements Balancer {
  protected readonly forwarder: Forwarder;

  constructor(forwarder: Forwarder) {
    this.forwarder = forwarder;
  }

  receive(packet: Packet, arrival: Port): void {
    const egress = packet.kind === 'data' ? this.choose(packet) : this.forwarder.ecmpEgress(packet);
    this.forwarder.forward(packet, arrival, egress);
  }

  /** It holds no packets. */
  waiting(): Iterable<Packet> {
    return [];
  }

  /** The egress port of a data packet; undefined: no path is available. */
  protected abstract choose(packet: Packet): Port | undefined;
}
