/** From a topology's description to its nodes and links: one line per kind. */
import type { TopologySpec } from '../scenario/spec.js';
import { buildDumbbell } from './dumbbell.js';
import { buildEdges } from './edges.js';
import { buildFatTree } from './fat-tree.js';
import { rejectUnread } from './file.js';
import { buildLeafSpine } from './leaf-spine.js';
import { withLinkOverrides } from './link-overrides.js';
import type { Network } from './network.js';
import { buildStar } from './star.js';
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

/** Hosts have adapters where there are several planes. */
function countPlanes(hosts: number, switches: number, planes = 1): number {
  return hosts * (planes > 1 ? 2 : 1) + switches * planes;
}

const builderOf = ({ kind }: TopologySpec): Builder<TopologySpec> => BUILDERS[kind] as Builder<TopologySpec>;

/** Nodes that a topology will have, counted before any is made. */
export function countNodes(spec: TopologySpec): number {
  return builderOf(spec).count(spec);
}

/** Links between leaves and spines, which are as many as their product; counted before any is made. */
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
