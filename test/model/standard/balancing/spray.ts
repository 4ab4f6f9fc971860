/** Per packet: a random egress port, or round-robin. Starts at the first port, and restarts there when fewer ports are usable. */
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

/** By set of next hops, the place after the egress port taken last. */
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
