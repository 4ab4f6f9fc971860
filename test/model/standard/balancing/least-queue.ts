/** Each packet takes the egress port with the fewest queued bytes; ties are broken round-robin. */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import { Positions } from './spray.js';
import type { QueueOf, EgressChooser, NextHops } from './egress-chooser.js';

export class LeastQueue implements EgressChooser {
  readonly #queueOf: QueueOf;
  readonly #positions = new Positions();

  constructor(queueOf: QueueOf) {
    this.#queueOf = queueOf;
  }

  choose(_packet: Packet, nextHops: NextHops): Port {
    const { open } = nextHops;
    const first = this.#positions.next(nextHops);
    const least = Math.min(...open.map(this.#queueOf));
    const inTurn = open.map((_, step) => (first + step) % open.length);
    const place = inTurn.find((at) => this.#queueOf(open[at]) === least) ?? first;
    this.#positions.taken(nextHops, place);
    return open[place];
  }
}
