/** The topologies of scenarios by kind, as networks: hosts, switches and links. */
import { DEFAULT_PLANES, DEFAULT_WAN_ROWS } from '../scenario/defaults.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { StarSpec, DumbbellSpec, LeafSpineSpec, FatTreeSpec, TwoDataCentersSpec,
  WanTopologySpec } from '../scenario/spec.js';
import { linkSettings, NetworkBuilder, type Network, type LinkSettings, WAN_DOMAIN } from './network.js';

/** Default of the WAN link: 200 km of fibre at 5 us per km. */
export const DEFAULT_WAN: LinkSettings = { rateGbps: 100, delayNs: 1_000_000 };
/** Settings of a WAN that only provider edges have. */
const OF_EDGES = ['paths', 'routers', 'links', 'access'] as const;

/** All hosts on one switch `s0`. */
export function buildStar(spec: StarSpec): Network {
  const builder = new NetworkBuilder();
  const hosts = builder.addHosts(spec.hosts);
  const [hub] = builder.addSwitches(1, 's');
  for (const host of hosts) builder.link(host, hub, linkSettings(spec));
  return builder.finish();
}

/** Dumbbell: `left` hosts on `s0`, `right` hosts on `s1`, and the bottleneck link between them. */
export function buildDumbbell(spec: DumbbellSpec): Network {
  const builder = new NetworkBuilder();
  const hosts = builder.addHosts(spec.left + spec.right);
  const [left, right] = builder.addSwitches(2, 's');
  const edge = linkSettings(spec);
  hosts.forEach((host, i) => builder.link(host, i < spec.left ? left : right, edge));
  builder.link(left, right, linkSettings(spec.bottleneck, edge));
  return builder.finish();
}

/** Leaf-spine: every leaf is linked to every spine; hosts are numbered leaf by leaf. */
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

/**
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

/**
 * Builds the switches of a plane, and links `ends` (hosts, or their adapters) to them. @param prefix prefix of the switches'
 * names.
 */
export type PlaneBuilder = (builder: NetworkBuilder, ends: readonly number[], prefix: string) => void;

/**
 * Networks of several planes: each host has an adapter with a port into each plane, and there are no links between planes.
 *
 *   host ── n x rate, no delay ── adapter ─┬─ rate, delay ── leaf of plane 0
 *                                          └─ …            ── leaf of plane n - 1
 *
 * Source      multi-plane fabrics as in deployments of OCP MRC 1.0 (docs/reference/sources.md, "Planes").
 * Deviations  the adapter stores and forwards at the total rate of its ports, which adds a packet's time at that rate at each
 *             end; its queues are those of its ports.
 *
 * @param link the link of each adapter port.
 */
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

/** Number of provider edges and routers of a WAN. */
export function countWanNodes(wan: WanTopologySpec = {}): number {
  const { edges = 0, paths, routers } = { ...DEFAULT_WAN_ROWS, ...wan };
  return edges === 0 ? 0 : 2 * edges + paths * routers;
}

interface Center {
  readonly leaves: readonly number[];
  readonly spines: readonly number[];
}

/**
 * Two leaf-spine networks, `dc0` and `dc1`. The first half of the hosts is in `dc0`.
 *
 * Without provider edges, all spines of a side are linked to its border switch, `wan0` or `wan1`, and a long link joins the
 * two. With provider edges, spines are linked to the side's gateway, the gateway to its provider edges, and each provider edge
 * to the near end of each row of routers (draft-hu-rtgwg-rocev2-fcn-00, figure 1).
 *
 * @throws RoceError `invalid-scenario`: for settings of a WAN with provider edges if there are none, or if the number of links
 * is not routers + 1.
 */
export function buildTwoDataCenters(spec: TwoDataCentersSpec): Network {
  checkWan(spec.wan);
  const edge = linkSettings(spec);
  const uplink = linkSettings(spec.uplink, edge);
  const perCenter = spec.leaves * spec.hostsPerLeaf;
  const builder = new NetworkBuilder();
  const hosts = builder.addHosts(2 * perCenter);
  const centers = [0, 1].map((center): Center & { readonly hosts: readonly number[] } => ({
    hosts: hosts.slice(center * perCenter, (center + 1) * perCenter),
    leaves: builder.addSwitches(spec.leaves, `dc${center}.leaf`),
    spines: builder.addSwitches(spec.spines, `dc${center}.spine`),
  }));
  const { wan = {} } = spec;
  const borders = wan.edges === undefined ?
    builder.addSwitches(2, 'wan') :
    [0, 1].map((center) => builder.add('switch', `dc${center}.gateway`));
  for (const center of centers) linkHosts(builder, center.hosts, center.leaves, edge);
  for (const { leaves, spines } of centers) linkMesh(builder, leaves, spines, uplink);
  centers.forEach(({ spines }, i) => linkMesh(builder, spines, [borders[i]], uplink));
  if (wan.edges !== undefined) return withEdges(builder, wan, wan.edges, { uplink, borders, centers });
  builder.link(borders[0], borders[1], linkSettings(wan, DEFAULT_WAN));
  return builder.finish();
}

interface BetweenCenters {
  readonly uplink: LinkSettings;
  readonly borders: readonly number[];
  readonly centers: readonly Center[];
}

function withEdges(builder: NetworkBuilder, wan: WanTopologySpec, perCenter: number,
  { uplink, borders, centers }: BetweenCenters): Network {
  const { paths, routers: perPath, links = [] } = { ...DEFAULT_WAN_ROWS, ...wan };
  const own = linkSettings(wan, DEFAULT_WAN);
  const settings = Array.from({ length: perPath + 1 }, (_, i) => linkSettings(links.at(i), own));
  const all = builder.addSwitches(2 * perCenter, 'pe');
  const edges = [all.slice(0, perCenter), all.slice(perCenter)] as const;
  const routers = builder.addSwitches(paths * perPath, 'r');
  edges.forEach((ofCenter, i) => {
    linkMesh(builder, [borders[i]], ofCenter, linkSettings(wan.access, uplink));
  });
  for (let path = 0; path < paths; path++) {
    const row = routers.slice(path * perPath, (path + 1) * perPath);
    linkMesh(builder, edges[0], row.slice(0, 1), settings[0]);
    for (let i = 1; i < perPath; i++) builder.link(row[i - 1], row[i], settings[i]);
    linkMesh(builder, row.slice(-1), edges[1], settings[perPath]);
  }
  const network = builder.finish();
  const domains = network.nodes.map(({ kind }, node) => (kind === 'host' ? domainOfHost(network, node) : WAN_DOMAIN));
  centers.forEach(({ leaves, spines }, i) => {
    for (const node of [...leaves, ...spines, borders[i]]) domains[node] = i;
  });
  return builder.finish([], { gateways: [borders[0], borders[1]], edges, routers, domains });
}

function domainOfHost({ hosts }: Network, host: number): number {
  return host < hosts.length / 2 ? 0 : 1;
}

function checkWan(wan: WanTopologySpec = {}): void {
  const { edges, routers, links } = { ...DEFAULT_WAN_ROWS, ...wan };
  for (const key of OF_EDGES) {
    if (edges !== undefined || wan[key] === undefined) continue;
    const problem = 'is a setting of a WAN with provider edges, and edges is left out';
    const where = `topology.wan.${key}`;
    rejectScenario({ what: where, problem, got: wan[key], where });
  }
  if (links === undefined || links.length === routers + 1) return;
  rejectScenario({
    what: 'the number of links of a row of routers',
    got: links.length,
    allowed: [routers + 1],
    where: 'topology.wan.links',
    hint: 'A row has one link more than routers',
  });
}
