/** One port of a host: what it has to send, ACKs before the QPs that send by it. */
import type { Port } from './link-ends.js';
import type { Packet } from './packet.js';
import type { Turns } from './parts.js';
import type { QueuePair } from './queue-pair.js';

export class Nic {
  readonly port: Port;
  readonly turns: Turns<QueuePair>;
  readonly acks: Packet[] = [];

  constructor(port: Port, turns: Turns<QueuePair>) {
    this.port = port;
    this.turns = turns;
  }
}
