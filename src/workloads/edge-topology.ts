/** A topology given link by link, in the form used in scenarios (`"kind": "edges"`). */
import type { WorkloadNote } from './notes.js';
import { rejectWorkload } from './workload-error.js';

/** A node of an imported topology. */
export interface TopologyNode {
  /** Name of the node, without a colon. */
  readonly name: string;
  /** Whether it is a host or a switch. */
  readonly kind: 'host' | 'switch';
}

/** A link of an imported topology. */
export interface TopologyLink {
  /** Name of the node at one end. */
  readonly from: string;
  /** Name of the node at the other end. */
  readonly to: string;
  /** Rate of the link, Gb/s. */
  readonly rateGbps: number;
  /** One-way delay, nanoseconds. */
  readonly delayNs: number;
  /** Share of packets lost on the link, 0 to 1. Default 0. */
  readonly errorRate?: number;
}

/** A route that replaces the shortest paths. */
export interface TopologyRoute {
  /** Name of the node that forwards the packets. */
  readonly node: string;
  /** Name of the destination host. */
  readonly destination: string;
  /** Names of the next hops. */
  readonly via: readonly string[];
}

/** A topology for a scenario's `topology`. */
export interface EdgeTopology {
  /** Marks a topology given link by link. */
  readonly kind: 'edges';
  /** Nodes of the topology: hosts first, then switches. */
  readonly nodes: readonly TopologyNode[];
  /** Links, in port order. */
  readonly links: readonly TopologyLink[];
  /** Explicit routes; if absent, only shortest paths are used. */
  readonly routes?: readonly TopologyRoute[];
}

/** An imported topology. */
export interface WorkloadTopology {
  /** The topology, for a scenario. */
  readonly topology: EdgeTopology;
  /** Number of hosts. */
  readonly hosts: number;
  /** Notes on parts that were ignored, or have a different meaning here. */
  readonly notes: readonly WorkloadNote[];
}

/** Limits of scenarios. */
const NODES_MAX = 65_535;
const LINKS_MAX = 2 ** 20;

/** Checks the size before anything is created. @throws RoceError `invalid-workload`, `TOO_LARGE`. */
export function requireRoom(nodes: number, links: number, where: string): void {
  if (nodes > NODES_MAX) {
    rejectWorkload('TOO_LARGE', { what: 'the number of nodes', got: nodes, allowed: { max: NODES_MAX }, where });
  }
  if (links > LINKS_MAX) {
    rejectWorkload('TOO_LARGE', { what: 'the number of links', got: links, allowed: { max: LINKS_MAX }, where });
  }
}

/** Returns the names `prefix0`, `prefix1`, … */
export function namesOf(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}
