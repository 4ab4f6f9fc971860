/**
 * Two leaf-spine networks, `dc0` and `dc1`. The first half of the hosts is in `dc0`.
 *
 * Without provider edges, all spines of a side are linked to its border switch, `wan0` or `wan1`, and a long link joins the
 * two. With provider edges, spines are linked to the side's gateway, the gateway to its provider edges, and each provider edge
 * to the near end of each row of routers (draft-hu-rtgwg-rocev2-fcn-00, figure 1).
 */
import { DEFAULT_WAN_ROWS } from '../scenario/defaults.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { TwoDataCentersSpec, WanTopologySpec } from '../scenario/spec.js';
import { linkHosts, linkMesh } from './topologies.js';
import { linkSettings, NetworkBuilder, WAN_DOMAIN, type LinkSettings, type Network } from './network.js';

/** Default of the WAN link: 200 km of fibre at 5 us per km. */
export const DEFAULT_WAN: LinkSettings = { rateGbps: 100, delayNs: 1_000_000 };

const OF_EDGES = ['paths', 'routers', 'links', 'access'] as const;

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
