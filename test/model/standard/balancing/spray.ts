/** Per packet: any exit, or the next one in turn. Turns begin at the first exit, and again where fewer are open than before. */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { Below, EgressChooser, NextHops } from './egress-chooser.js';

export class RandomSpray implements EgressChooser {
  readonly #below: Below;

  constructor(below: Below) {
    this.#below = below;
  }

  choose(_packet: Packet, { open }: NextHops): Port {
    return open[this.#below(open.length)];
  }
}

/** By set of next hops, the place behind the egress port taken last. */
export class Turns {
  readonly #next = new Map<string, number>();

  next({ key, open }: NextHops): number {
    const place = this.#next.get(key) ?? 0;
    return place < open.length ? place : 0;
  }

  taken({ key }: NextHops, place: number): void {
    this.#next.set(key, place + 1);
  }
}

export class RoundRobin implements EgressChooser {
  readonly #turns = new Turns();

  choose(_packet: Packet, nextHops: NextHops): Port {
    const place = this.#turns.next(nextHops);
    this.#turns.taken(nextHops, place);
    return nextHops.open[place];
  }
}
