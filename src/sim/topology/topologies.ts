/** Star: all hosts on one switch `s0`. */
import { DEFAULT_PLANES } from '../scenario/defaults.js';
import type { StarSpec, DumbbellSpec, LeafSpineSpec, FatTreeSpec } from '../scenario/spec.js';
import { linkSettings, NetworkBuilder, type Network, type LinkSettings } from './network.js';

export function buildStar(spec: StarSpec): Network {
  const builder = new NetworkBuilder();
  const hosts = builder.addHosts(spec.hosts);
  const [hub] = builder.addSwitches(1, 's');
  for (const host of hosts) builder.link(host, hub, linkSettings(spec));
  return builder.finish();
}

/* Dumbbell: `left` hosts on `s0`, `right` hosts on `s1`, and the bottleneck link between them. */

export function buildDumbbell(spec: DumbbellSpec): Network {
  const builder = new NetworkBuilder();
  const hosts = builder.addHosts(spec.left + spec.right);
  const [left, right] = builder.addSwitches(2, 's');
  const edge = linkSettings(spec);
  hosts.forEach((host, i) => builder.link(host, i < spec.left ? left : right, edge));
  builder.link(left, right, linkSettings(spec.bottleneck, edge));
  return builder.finish();
}

/* Leaf-spine: every leaf is linked to every spine; hosts are numbered leaf by leaf. */

export function buildLeafSpine(spec: LeafSpineSpec): Network {
  const network = new NetworkBuilder();
  const hosts = network.addHosts(spec.leaves * spec.hostsPerLeaf);
  const link = linkSettings(spec);
  return buildPlanes(network, hosts, { planes: spec.planes, link }, (builder, ends, prefix) => {
    const leaves = builder.addSwitches(spec.leaves, `${prefix}leaf`);
    const spines = builder.addSwitches(spec.spines, `${prefix}spine`);
    linkHosts(builder, ends, leaves, link);
    linkMesh(builder, leaves, spines, linkSettings(spec.uplink, link));
  });
}

/** Links hosts to switches in order, the same number to each switch. */
export function linkHosts(builder: NetworkBuilder, hosts: readonly number[], switches: readonly number[],
  link: LinkSettings): void {
  const perSwitch = hosts.length / switches.length;
  hosts.forEach((host, i) => builder.link(host, switches[Math.floor(i / perSwitch)], link));
}

/** Links each node of `from` to each node of `to`. */
export function linkMesh(builder: NetworkBuilder, from: readonly number[], to: readonly number[],
  link: LinkSettings): void {
  for (const a of from) for (const b of to) builder.link(a, b, link);
}

/*
 * Fat-tree of k-port switches: Al-Fares, Loukissas, Vahdat, "A Scalable, Commodity Data Center Network Architecture",
 * SIGCOMM 2008, section 3.
 *
 *   k pods of k/2 edge and k/2 aggregation switches; each edge switch has k/2 hosts; (k/2)^2 cores;
 *   aggregation switch j of each pod links to cores j k/2 .. (j + 1) k/2 - 1
 */

export function buildFatTree(spec: FatTreeSpec): Network {
  const { k, planes } = spec;
  const half = k / 2;
  const link = linkSettings(spec);
  const network = new NetworkBuilder();
  return buildPlanes(network, network.addHosts(k * half * half), { planes, link }, (builder, ends, prefix) => {
    const edges = builder.addSwitches(k * half, `${prefix}edge`);
    const aggregations = builder.addSwitches(k * half, `${prefix}agg`);
    const cores = builder.addSwitches(half * half, `${prefix}core`);
    linkHosts(builder, ends, edges, link);
    for (let pod = 0; pod < k; pod++) {
      linkMesh(builder, edges.slice(pod * half, (pod + 1) * half), aggregations.slice(pod * half, (pod + 1) * half),
        link);
    }
    aggregations.forEach((aggregation, i) => {
      const first = (i % half) * half;
      linkMesh(builder, [aggregation], cores.slice(first, first + half), link);
    });
  });
}

/*
 * Networks of several planes: each host has an adapter with a port into each plane, and there are no links between planes.
 *
 *   host ── n x rate, no delay ── adapter ─┬─ rate, delay ── leaf of plane 0
 *                                          └─ …            ── leaf of plane n - 1
 *
 * Source      multi-plane fabrics as in deployments of OCP MRC 1.0 (docs/reference/sources.md, "Planes").
 * Deviations  the adapter stores and forwards at the total rate of its ports, which adds a packet's time at that rate at each
 *             end; its queues are those of its ports.
 */

/**
 * Builds the switches of a plane, and links `ends` (hosts, or their adapters) to them. @param prefix prefix of the switches'
 * names.
 */
export type PlaneBuilder = (builder: NetworkBuilder, ends: readonly number[], prefix: string) => void;

/** Builds all planes. @param link the link of each adapter port. */
export function buildPlanes(builder: NetworkBuilder, hosts: readonly number[],
  { planes = DEFAULT_PLANES, link }: { readonly planes?: number | undefined; readonly link: LinkSettings },
  addPlane: PlaneBuilder): Network {
  if (planes === 1) {
    addPlane(builder, hosts, '');
    return builder.finish();
  }
  const adapters = builder.addSwitches(hosts.length, 'nic');
  hosts.forEach((host, i) => builder.link(host, adapters[i], { rateGbps: planes * link.rateGbps, delayNs: 0 }));
  const starts: number[] = [];
  for (let plane = 0; plane < planes; plane++) {
    starts.push(builder.count);
    addPlane(builder, adapters, `p${plane}.`);
  }
  const first = starts[0];
  const planeOf = Array.from({ length: builder.count }, (_, node) => starts.findLastIndex((start) => node >= start));
  const isAdapter = Array.from({ length: builder.count }, (_, node) => node >= hosts.length && node < first);
  return builder.finish([], undefined, { count: planes, planeOf, isAdapter });
}
