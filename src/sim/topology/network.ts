/**
 * A network of named nodes, in the order of their ids. The order of links determines the order of each node's ports.
 *
 * Hosts come first, then switches, as in the reference simulator's topology files: addresses and hashes depend on ids.
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
  /** One-way propagation delay, whole picoseconds. */
  readonly delayPs: number;
  /** Share of packets lost on it, 0 to 1. */
  readonly errorRate: number;
  /** Whether the link has its own error rate; false: it has the rate common to all links without one. */
  readonly hasOwnErrors: boolean;
}

export interface Network {
  readonly nodes: readonly NetworkNode[];
  readonly links: readonly NetworkLink[];
  /** Indices of the hosts, ascending: host number i of a workload is `hosts[i]`. */
  readonly hosts: readonly number[];
  /** Manual routes, which replace the derived next hops and their order. */
  readonly routes: readonly RouteSpec[];
  /** Roles of nodes in a WAN with provider edges; omitted if there is none. */
  readonly wan?: WanNodes;
  /** Planes, and adapters of hosts; omitted if there is only one plane. */
  readonly planes?: PlaneNodes;
}

/** Planes and adapters of a network, indexed by node. */
export interface PlaneNodes {
  readonly count: number;
  /** The plane of each node; -1: hosts and adapters. */
  readonly planeOf: readonly number[];
  /** Whether each node is an adapter. */
  readonly isAdapter: readonly boolean[];
}

/** Roles of the nodes of two data centres and the WAN between them, by their indices. */
export interface WanNodes {
  /** Gateways of `dc0` and `dc1`. */
  readonly gateways: readonly [number, number];
  /** Provider edges of `dc0` and of `dc1`. */
  readonly edges: readonly [readonly number[], readonly number[]];
  /** Routers, row by row, from `dc0` to `dc1`. */
  readonly routers: readonly number[];
  /** Domain of each node: data centre 0 or 1; 2: the WAN. */
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

/** Converts Gb/s to whole bits per second. */
export const bitsPerSecond = (rateGbps: number): number => Math.round(rateGbps * 1e9);
/** Converts ns to whole picoseconds. */
export const picoseconds = (delayNs: number): number => Math.round(delayNs * 1e3);

/** Collects nodes and links in order. */
export class NetworkBuilder {
  readonly #nodes: NetworkNode[] = [];
  readonly #links: NetworkLink[] = [];

  /** Number of nodes so far. */
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
