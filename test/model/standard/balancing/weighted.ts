/**
 * WCMP by its paper (EuroSys 2014), and random spraying with its weights: the table contains each next hop as often as
 * its weight. Next hops that are used only while links are down have one entry each.
 */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';
import type { EgressChooser, NextHops } from './egress-chooser.js';

/** The entry of a table for a packet. */
export type EntryOf = (packet: Packet, entries: number) => number;

/** The weights of the planned next hops of a packet, in the same order. */
export type WeightsOf = (packet: Packet) => readonly number[];

export class WeightedTable implements EgressChooser {
  readonly #entryOf: EntryOf;
  readonly #weightsOf: WeightsOf;

  constructor(entryOf: EntryOf, weightsOf: WeightsOf) {
    this.#entryOf = entryOf;
    this.#weightsOf = weightsOf;
  }

  choose(packet: Packet, { key, open }: NextHops): Port {
    const planned = key.split(',').map(Number);
    const weights = this.#weightsOf(packet);
    const entries = open.map(({ index }) => planned.includes(index) ? weights[planned.indexOf(index)] : 1);
    let left = this.#entryOf(packet, entries.reduce((sum, one) => sum + one, 0));
    for (const [at, port] of open.entries()) {
      if (left < entries[at]) return port;
      left -= entries[at];
    }
    return open[open.length - 1];
  }
}
