/** How a switch chooses among several exits. */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';

/** Exits of a packet at a switch, two or more (CONGA: one or more). */
export interface Exits {
  /** Which set of the plan's equal exits it is: the same for all destinations that share it. */
  readonly key: string;
  /** How many the plan has. */
  readonly planned: number;
  /** Those that may be taken now. */
  readonly open: readonly Port[];
}

export interface ExitChooser {
  choose(packet: Packet, exits: Exits): Port;
}

/** What waits at a port, bytes. */
export type QueueOf = (port: Port) => number;

/** A whole number below one, drawn. */
export type Below = (count: number) => number;
