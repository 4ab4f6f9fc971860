/** A topology link by link, in the form that scenarios have it (`"kind": "edges"`). */
import type { WorkloadNote } from '../notes.js';
import { rejectWorkload } from '../workload-error.js';

/** A node of a topology that was read. */
export interface TopologyNode {
  /** Name, without a colon. */
  readonly name: string;
  /** Host or switch. */
  readonly kind: 'host' | 'switch';
}

/** A link of a topology that was read. */
export interface TopologyLink {
  /** Name of one end. */
  readonly from: string;
  /** Name of the other end. */
  readonly to: string;
  /** Rate, Gb/s. */
  readonly rateGbps: number;
  /** One-way delay, nanoseconds. */
  readonly delayNs: number;
  /** Share of packets lost on it, 0 to 1. Default 0. */
  readonly errorRate?: number;
}

/** A route instead of the shortest ways. */
export interface TopologyRoute {
  /** Name of the node where packets are. */
  readonly node: string;
  /** Name of the host that they go to. */
  readonly destination: string;
  /** Names of next nodes. */
  readonly via: readonly string[];
}

/** Allowed kinds of a scenario's `topology`. */
export interface EdgeTopology {
  /** Link by link. */
  readonly kind: 'edges';
  /** Hosts first, then switches. */
  readonly nodes: readonly TopologyNode[];
  /** Links, in the order of their ports. */
  readonly links: readonly TopologyLink[];
  /** Routes by hand; absent: shortest ways only. */
  readonly routes?: readonly TopologyRoute[];
}

/** A topology's file as it was read. */
export interface WorkloadTopology {
  /** For a scenario. */
  readonly topology: EdgeTopology;
  /** Number of hosts. */
  readonly hosts: number;
  /** Parts that were ignored, or have another meaning here. */
  readonly notes: readonly WorkloadNote[];
}

/** Those of scenarios. */
const NODES_MAX = 65_535;
const LINKS_MAX = 2 ** 20;

/** Before anything is made. @throws RoceError `invalid-workload`, `TOO_LARGE`. */
export function requireRoom(nodes: number, links: number, where: string): void {
  if (nodes > NODES_MAX) {
    rejectWorkload('TOO_LARGE', { what: 'the number of nodes', got: nodes, allowed: { max: NODES_MAX }, where });
  }
  if (links > LINKS_MAX) {
    rejectWorkload('TOO_LARGE', { what: 'the number of links', got: links, allowed: { max: LINKS_MAX }, where });
  }
}

/** Names `prefix0`, `prefix1`, … */
export function namesOf(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}
