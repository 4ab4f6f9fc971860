/** A switch that chooses the next hop of data by its own rule; responses follow the hash. */
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

  /** Packets that it holds back: none. */
  waiting(): Iterable<Packet> {
    return [];
  }

  /** The egress port of a data packet; undefined: no path is left. */
  protected abstract choose(packet: Packet): Port | undefined;
}
