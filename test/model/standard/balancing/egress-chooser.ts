/** How a switch chooses among several next hops. */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';

/** Exits of a packet at a switch, two or more (CONGA: one or more). */
export interface NextHops {
  /** Which set of the plan's equal next hops it is: the same for all destinations that share it. */
  readonly key: string;
  /** How many the plan has. */
  readonly planned: number;
  /** Those that may be taken now. */
  readonly open: readonly Port[];
}

export interface EgressChooser {
  choose(packet: Packet, nextHops: NextHops): Port;
}

/** What waits at a port, bytes. */
export type QueueOf = (port: Port) => number;

/** A whole number below one, drawn. */
export type Below = (count: number) => number;
