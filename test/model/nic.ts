/** One port of a host: sends responses before the QPs that use it. */
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
