/** Sprays packets randomly or round-robin, from the first port on; a smaller set of ports restarts at the first one. */
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

/** The index after the egress port used last, by set of next hops. */
export class Positions {
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
  readonly #positions = new Positions();

  choose(_packet: Packet, nextHops: NextHops): Port {
    const place = this.#positions.next(nextHops);
    this.#positions.taken(nextHops, place);
    return nextHops.open[place];
  }
}
