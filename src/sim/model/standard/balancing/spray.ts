/** Per packet: any exit, or the next one in turn. Turns begin at the first exit, and again where fewer are open than before. */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { Below, ExitChooser, Exits } from './exit-chooser.js';

export class RandomSpray implements ExitChooser {
  readonly #below: Below;

  constructor(below: Below) {
    this.#below = below;
  }

  choose(_packet: Packet, { open }: Exits): Port {
    return open[this.#below(open.length)];
  }
}

/** By set of exits, the place behind the exit taken last. */
export class Turns {
  readonly #next = new Map<string, number>();

  next({ key, open }: Exits): number {
    const place = this.#next.get(key) ?? 0;
    return place < open.length ? place : 0;
  }

  taken({ key }: Exits, place: number): void {
    this.#next.set(key, place + 1);
  }
}

export class RoundRobin implements ExitChooser {
  readonly #turns = new Turns();

  choose(_packet: Packet, exits: Exits): Port {
    const place = this.#turns.next(exits);
    this.#turns.taken(exits, place);
    return exits.open[place];
  }
}
