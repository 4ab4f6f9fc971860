/**
 * A network by name: nodes in the order of their ids, links in the order in which their ends number their ports.
 *
 * Hosts come first, then switches, as in the topology files of the reference simulator: ids decide addresses and
 * hashes.
 */
import type { LinkSpec, RouteSpec } from '../scenario/spec.js';

export interface NetworkNode {
  readonly name: string;
  readonly kind: 'host' | 'switch';
}

/** A link between two nodes, given by their indices. */
export interface NetworkLink {
  readonly from: number;
  readonly to: number;
  /** Whole bits per second. */
  readonly rateBps: number;
  /** One way, whole picoseconds. */
  readonly delayPs: number;
  /** Share of packets lost on it, 0 to 1. */
  readonly errorRate: number;
  /** Whether that is its own, or that of all links without one. */
  readonly hasOwnErrors: boolean;
}

export interface Network {
  readonly nodes: readonly NetworkNode[];
  readonly links: readonly NetworkLink[];
  /** Indices of the hosts, ascending: host number i of a workload is `hosts[i]`. */
  readonly hosts: readonly number[];
  /** Given where the derived order of next hops isn't wanted. */
  readonly routes: readonly RouteSpec[];
  /** Roles of nodes in a WAN with provider edges; left out where there is none. */
  readonly wan?: WanNodes;
  /** Planes, and adapters of hosts; left out where there is one plane. */
  readonly planes?: PlaneNodes;
}

/** What a network of several planes has, by the indices of nodes. */
export interface PlaneNodes {
  readonly count: number;
  /** The plane of each node; -1: hosts and adapters. */
  readonly planeOf: readonly number[];
  /** Whether each node is an adapter. */
  readonly isAdapter: readonly boolean[];
}

/** Roles of the nodes of two data centres and the WAN between them, by their indices. */
export interface WanNodes {
  /** Of `dc0` and `dc1`. */
  readonly gateways: readonly [number, number];
  /** Provider edges of `dc0` and of `dc1`. */
  readonly edges: readonly [readonly number[], readonly number[]];
  /** Row by row, from `dc0` to `dc1`. */
  readonly routers: readonly number[];
  /** By node: 0 and 1, the data centre that it belongs to; 2, the WAN. */
  readonly domains: readonly number[];
}

/** The domain of provider edges and routers. */
export const WAN_DOMAIN = 2;

/** Rate and delay of a link, complete. */
export interface LinkSettings {
  readonly rateGbps: number;
  readonly delayNs: number;
}

/** Defaults of a link: 100 Gb/s and 1 us, the links of most published RoCEv2 simulations. */
export const DEFAULT_LINK: LinkSettings = { rateGbps: 100, delayNs: 1000 };

/** A link's settings, with those of `fallback` as defaults. */
export function linkSettings(link: LinkSpec | undefined, fallback: LinkSettings = DEFAULT_LINK): LinkSettings {
  return { rateGbps: link?.rateGbps ?? fallback.rateGbps, delayNs: link?.delayNs ?? fallback.delayNs };
}

/** Of a rate in Gb/s, whole. */
export const bitsPerSecond = (rateGbps: number): number => Math.round(rateGbps * 1e9);
/** Of a delay in ns, whole. */
export const picoseconds = (delayNs: number): number => Math.round(delayNs * 1e3);

/** Collects nodes and links in order. */
export class NetworkBuilder {
  readonly #nodes: NetworkNode[] = [];
  readonly #links: NetworkLink[] = [];

  /** Nodes so far. */
  get count(): number {
    return this.#nodes.length;
  }

  /** Adds a node. @returns its index. */
  add(kind: NetworkNode['kind'], name: string): number {
    return this.#nodes.push({ name, kind }) - 1;
  }

  /** Adds hosts `h0`, `h1`, … @returns their indices. */
  addHosts(count: number): number[] {
    return Array.from({ length: count }, (_, i) => this.add('host', `h${i}`));
  }

  /** Adds switches `prefix0`, `prefix1`, … @returns their indices. */
  addSwitches(count: number, prefix: string): number[] {
    return Array.from({ length: count }, (_, i) => this.add('switch', `${prefix}${i}`));
  }

  link(from: number, to: number, { rateGbps, delayNs }: LinkSettings, errorRate = 0, hasOwnErrors = false): void {
    this.#links.push({
      from,
      to,
      rateBps: bitsPerSecond(rateGbps),
      delayPs: picoseconds(delayNs),
      errorRate,
      hasOwnErrors,
    });
  }

  finish(routes: readonly RouteSpec[] = [], wan?: WanNodes, planes?: PlaneNodes): Network {
    const hosts = this.#nodes.flatMap(({ kind }, node) => (kind === 'host' ? [node] : []));
    const parts = { ...(wan === undefined ? {} : { wan }), ...(planes === undefined ? {} : { planes }) };
    return { nodes: this.#nodes, links: this.#links, hosts, routes, ...parts };
  }
}
