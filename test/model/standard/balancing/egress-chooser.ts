/** The rule by which a switch chooses among several next hops. */
import type { Port } from '../../link-ends.js';
import type { Packet } from '../../packet.js';

/** Egress ports of a packet at a switch, two or more (CONGA: one or more). */
export interface NextHops {
  /** Identifies the planned set of next hops; destinations with the same set have the same key. */
  readonly key: string;
  /** The planned set and its size. */
  readonly all: readonly Port[];
  readonly planned: number;
  /** The next hops usable now. */
  readonly open: readonly Port[];
}

export interface EgressChooser {
  choose(packet: Packet, nextHops: NextHops): Port;
}

/** The bytes queued at a port. */
export type QueueOf = (port: Port) => number;

/** A random integer from 0 to below a limit. */
export type Below = (count: number) => number;
