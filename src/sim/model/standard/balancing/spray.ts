/** Per packet: any way, or the next one in turn. Turns begin at the first way, and again where fewer are open than before. */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { Below, WayChooser, Ways } from './way-chooser.js';

export class RandomSpray implements WayChooser {
  readonly #below: Below;

  constructor(below: Below) {
    this.#below = below;
  }

  choose(_packet: Packet, { open }: Ways): Port {
    return open[this.#below(open.length)];
  }
}

/** By set of ways, the place behind the way taken last. */
export class Turns {
  readonly #next = new Map<string, number>();

  next({ key, open }: Ways): number {
    const place = this.#next.get(key) ?? 0;
    return place < open.length ? place : 0;
  }

  taken({ key }: Ways, place: number): void {
    this.#next.set(key, place + 1);
  }
}

export class RoundRobin implements WayChooser {
  readonly #turns = new Turns();

  choose(_packet: Packet, ways: Ways): Port {
    const place = this.#turns.next(ways);
    this.#turns.taken(ways, place);
    return ways.open[place];
  }
}
