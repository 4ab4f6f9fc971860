/** A switch that chooses data's exit by a rule of its own; answers go by the hash. */
import type { Port } from './link-ends.js';
import type { Packet } from './packet.js';
import type { Balancer, Forwarder } from './parts.js';

export abstract class DataBalancer implements Balancer {
  protected readonly forwarder: Forwarder;

  constructor(forwarder: Forwarder) {
    this.forwarder = forwarder;
  }

  receive(packet: Packet, arrival: Port): void {
    const exit = packet.kind === 'data' ? this.choose(packet) : this.forwarder.ecmpExit(packet);
    this.forwarder.forward(packet, arrival, exit);
  }

  /** Packets that it holds back: none. */
  waiting(): Iterable<Packet> {
    return [];
  }

  /** The exit of a data packet; undefined: no path is left. */
  protected abstract choose(packet: Packet): Port | undefined;
}
