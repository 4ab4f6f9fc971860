/** A switch with static tables: the UDP source port is the number of the path that the sender chose. If its link is down, the packet is dropped. */
import { DataBalancer } from '../../data-balancer.js';
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { Forwarder } from '../../parts.js';

export class SourceRoute extends DataBalancer {
  readonly #stride: number;

  constructor(forwarder: Forwarder, stride: number) {
    super(forwarder);
    this.#stride = stride;
  }

  protected override choose(packet: Packet): Port | undefined {
    const planned = this.forwarder.nextHops(packet);
    if (planned.length === 0) return undefined;
    const own = planned[Math.floor(packet.tuple.sourcePort / this.#stride) % planned.length]!;
    return own.up ? own : undefined;
  }
}
