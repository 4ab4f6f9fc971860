/** Per packet the exit with the fewest bytes waiting; of equal ones the next in turn. */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import { Turns } from './spray.js';
import type { QueueOf, ExitChooser, Exits } from './exit-chooser.js';

export class LeastQueue implements ExitChooser {
  readonly #queueOf: QueueOf;
  readonly #turns = new Turns();

  constructor(queueOf: QueueOf) {
    this.#queueOf = queueOf;
  }

  choose(_packet: Packet, exits: Exits): Port {
    const { open } = exits;
    const first = this.#turns.next(exits);
    const least = Math.min(...open.map(this.#queueOf));
    const inTurn = open.map((_, step) => (first + step) % open.length);
    const place = inTurn.find((at) => this.#queueOf(open[at]) === least) ?? first;
    this.#turns.taken(exits, place);
    return open[place];
  }
}
