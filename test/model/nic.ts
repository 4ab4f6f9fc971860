/** One port of a host: sends responses before the QPs that use it. */
import type { Port } from './link-ends.js';
import type { QpScheduler, ResponseQueue } from './parts.js';
import type { QueuePair } from './queue-pair.js';

export class Nic {
  readonly port: Port;
  readonly scheduler: QpScheduler<QueuePair>;
  readonly responses: ResponseQueue;

  constructor(port: Port, scheduler: QpScheduler<QueuePair>, responses: ResponseQueue) {
    this.port = port;
    this.scheduler = scheduler;
    this.responses = responses;
  }
}
