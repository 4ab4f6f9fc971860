/** How a switch chooses among several next hops. */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';

/** Egress ports of a packet at a switch, two or more (CONGA: one or more). */
export interface NextHops {
  /** Identifies the plan's set of equal next hops: the same for all destinations that share it. */
  readonly key: string;
  /** The plan's set, and how many it has. */
  readonly all: readonly Port[];
  readonly planned: number;
  /** Those usable now. */
  readonly open: readonly Port[];
}

export interface EgressChooser {
  choose(packet: Packet, nextHops: NextHops): Port;
}

/** Bytes waiting at a port. */
export type QueueOf = (port: Port) => number;

/** A random integer from 0 to below a limit. */
export type Below = (count: number) => number;
