/** Builds nodes and links from a topology's description. */
import type { TopologySpec } from '../scenario/spec.js';
import { buildDumbbell, buildFatTree, buildLeafSpine, buildStar } from './topologies.js';
import { buildEdges } from './edges.js';
import { rejectUnread } from './file.js';
import { withLinkOverrides } from './link-overrides.js';
import type { Network } from './network.js';
import { buildTwoDataCenters, countWanNodes } from './two-data-centers.js';

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
