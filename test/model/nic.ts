/** One port of a host: what it has to send, answers before the QPs that send by it. */
import type { Port } from './link-ends.js';
import type { ResponseQueue, Turns } from './parts.js';
import type { QueuePair } from './queue-pair.js';

export class Nic {
  readonly port: Port;
  readonly turns: Turns<QueuePair>;
  readonly responses: ResponseQueue;

  constructor(port: Port, turns: Turns<QueuePair>, responses: ResponseQueue) {
    this.port = port;
    this.turns = turns;
    this.responses = responses;
  }
}
