/** Builds nodes and links from a topology's description: regular networks, with overrides of single links, or any network link by link. */
import { DEFAULT_ERROR_RATE } from '../scenario/defaults.js';
import { nodeFinders, type NodeFinders, rejectScenario } from '../scenario/scenario-error.js';
import type { TopologySpec, EdgesSpec, RouteSpec, LinkOverrideSpec, FileTopologySpec } from '../scenario/spec.js';
import { buildDumbbell, buildFatTree, buildLeafSpine, buildStar, buildTwoDataCenters,
  countWanNodes } from './topologies.js';
import { linkSettings, NetworkBuilder, type Network, bitsPerSecond, picoseconds, type NetworkLink } from './network.js';

interface Builder<Spec> {
  /** Nodes that the network will have. */
  readonly count: (spec: Spec) => number;
  readonly build: (spec: Spec) => Network;
}

const BUILDERS: { readonly [Kind in TopologySpec['kind']]: Builder<Extract<TopologySpec, { kind: Kind }>> } = {
  star: { count: ({ hosts }) => hosts + 1, build: buildStar },
  dumbbell: { count: ({ left, right }) => left + right + 2, build: buildDumbbell },
  'leaf-spine': {
    count: ({ leaves, spines, hostsPerLeaf, planes }) => countPlanes(leaves * hostsPerLeaf, leaves + spines, planes),
    build: buildLeafSpine,
  },
  'fat-tree': { count: ({ k, planes }) => countPlanes(k ** 3 / 4, (5 * k ** 2) / 4, planes), build: buildFatTree },
  'two-data-centers': {
    count: ({ leaves, spines, hostsPerLeaf, wan }) =>
      2 * (leaves * (hostsPerLeaf + 1) + spines + 1) + countWanNodes(wan),
    build: buildTwoDataCenters,
  },
  edges: { count: ({ nodes }) => nodes.length, build: buildEdges },
  file: { count: () => 0, build: rejectUnread },
};

/** Counts nodes of a network with planes: with several, each host has an adapter. */
function countPlanes(hosts: number, switches: number, planes = 1): number {
  return hosts * (planes > 1 ? 2 : 1) + switches * planes;
}

const builderOf = ({ kind }: TopologySpec): Builder<TopologySpec> => BUILDERS[kind] as Builder<TopologySpec>;

/** Number of nodes that a topology will have, computed before it is built. */
export function countNodes(spec: TopologySpec): number {
  return builderOf(spec).count(spec);
}

/** Number of links between leaves and spines, computed before the network is built: it grows with their product. */
export function countMeshLinks(spec: TopologySpec): number {
  if (spec.kind === 'leaf-spine') return spec.leaves * spec.spines * (spec.planes ?? 1);
  return spec.kind === 'two-data-centers' ? 2 * spec.leaves * spec.spines : 0;
}

/**
 * Builds the network of a topology.
 * @throws RoceError `invalid-scenario` for edges that don't fit together, and for overrides of links that the network does not have.
 */
export function buildNetwork(spec: TopologySpec): Network {
  const network = builderOf(spec).build(spec);
  return 'linkOverrides' in spec ? withLinkOverrides(network, spec.linkOverrides) : network;
}

/**
 * Overrides the rate or delay of single links in a regular network, such as a slow or long uplink.
 * @throws RoceError `invalid-scenario` for an unknown node, two nodes without a link, or a link listed twice.
 */
function withLinkOverrides(network: Network, overrides: readonly LinkOverrideSpec[]): Network {
  const named = nodeFinders(network.nodes);
  const linkOf = new Map(network.links.map(({ from, to }, index) => [keyOf(from, to), index]));
  const changed = new Map<number, LinkOverrideSpec>();
  overrides.forEach((override, i) => {
    const where = `topology.linkOverrides[${i}]`;
    const from = named.node(override.from, `${where}.from`);
    const index = linkOf.get(keyOf(from, named.node(override.to, `${where}.to`)));
    if (index === undefined) {
      const problem = `has no link to ${override.to}`;
      return rejectScenario({ what: `node ${override.from}`, problem, got: override.to, where: `${where}.to` });
    }
    if (changed.has(index)) {
      const problem = 'is given twice';
      rejectScenario({ what: `the link ${override.from} to ${override.to}`, problem, got: override, where });
    }
    changed.set(index, override);
  });
  return { ...network, links: network.links.map((link, index) => withOverride(link, changed.get(index))) };
}

/** Key of a link, independent of the order of its ends. */
const keyOf = (from: number, to: number): string => (from < to ? `${from} ${to}` : `${to} ${from}`);

function withOverride(link: NetworkLink, { rateGbps, delayNs }: Partial<LinkOverrideSpec> = {}): NetworkLink {
  return {
    ...link,
    ...(rateGbps !== undefined && { rateBps: bitsPerSecond(rateGbps) }),
    ...(delayNs !== undefined && { delayPs: picoseconds(delayNs) }),
  };
}

/**
 * Builds any network, link by link.
 * @throws RoceError `invalid-scenario`: a name used twice or unknown, a link from a node to itself, an impossible
 * route.
 */
function buildEdges(spec: EdgesSpec): Network {
  const builder = new NetworkBuilder();
  addNodes(spec, builder);
  const named = nodeFinders(spec.nodes);
  spec.links.forEach((link, i) => {
    const where = `topology.links[${i}]`;
    const from = named.node(link.from, `${where}.from`);
    const to = named.node(link.to, `${where}.to`);
    if (from === to) {
      rejectScenario({ what: `link ${i}`, problem: 'goes from a node to itself', got: link.to, where: `${where}.to` });
    }
    builder.link(from, to, linkSettings(link), link.errorRate ?? spec.errorRate ?? DEFAULT_ERROR_RATE,
      (link.errorRate ?? 0) > 0);
  });
  const network = builder.finish(spec.routes ?? []);
  network.routes.forEach((route, i) => checkRoute(network, route, named, `topology.routes[${i}]`));
  return network;
}

function addNodes(spec: EdgesSpec, builder: NetworkBuilder): void {
  const names = new Set<string>();
  spec.nodes.forEach(({ name: got, kind }, i) => {
    if (names.has(got)) {
      rejectScenario({ what: 'the name of a node', problem: 'is used twice', got, where: `topology.nodes[${i}].name` });
    }
    names.add(got);
    builder.add(kind, got);
  });
}

function checkRoute(network: Network, route: RouteSpec, named: NodeFinders, where: string): void {
  const node = named.node(route.node, `${where}.node`);
  named.host(route.destination, `${where}.destination`);
  const neighbours = network.links.flatMap(({ from, to }) => (from === node ? [to] : to === node ? [from] : []));
  route.via.forEach((name, i) => {
    const times = route.via.slice(0, i + 1).filter((other) => other === name).length;
    const links = neighbours.filter((neighbour) => neighbour === named.node(name, `${where}.via[${i}]`)).length;
    if (times <= links) return;
    const problem = 'names a neighbour more often than there are links to it';
    rejectScenario({ what: `the route of ${route.node}`, problem, got: name, where: `${where}.via[${i}]` });
  });
}

/** Rejects a topology whose file has not been read. @throws RoceError `invalid-scenario`, always. */
function rejectUnread({ file }: FileTopologySpec): never {
  const hint = 'Read the file with roce-cc/workloads, and put its topology here';
  return rejectScenario({
    what: 'the file of the topology',
    problem: 'has not been read',
    got: file,
    where: 'topology.file',
    hint,
  });
}
