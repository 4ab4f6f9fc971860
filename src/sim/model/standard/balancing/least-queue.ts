/** Per packet the way with the fewest bytes waiting; of equal ones the next in turn. */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import { Turns } from './spray.js';
import type { QueueOf, WayChooser, Ways } from './way-chooser.js';

export class LeastQueue implements WayChooser {
  readonly #queueOf: QueueOf;
  readonly #turns = new Turns();

  constructor(queueOf: QueueOf) {
    this.#queueOf = queueOf;
  }

  choose(_packet: Packet, ways: Ways): Port {
    const { open } = ways;
    const first = this.#turns.next(ways);
    const least = Math.min(...open.map(this.#queueOf));
    const inTurn = open.map((_, step) => (first + step) % open.length);
    const place = inTurn.find((at) => this.#queueOf(open[at]) === least) ?? first;
    this.#turns.taken(ways, place);
    return open[place];
  }
}
