/** How a switch chooses among several ways. */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';

/** Ways of a packet at a switch, two or more (CONGA: one or more). */
export interface Ways {
  /** Which set of the plan's equal ways it is: the same for all destinations that share it. */
  readonly key: string;
  /** How many the plan has. */
  readonly planned: number;
  /** Those that may be taken now. */
  readonly open: readonly Port[];
}

export interface WayChooser {
  choose(packet: Packet, ways: Ways): Port;
}

/** What waits at a port, bytes. */
export type QueueOf = (port: Port) => number;

/** A whole number below one, drawn. */
export type Below = (count: number) => number;
