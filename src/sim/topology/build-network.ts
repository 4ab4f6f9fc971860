/** From a topology's description to its nodes and links: one line per kind. */
import type { TopologySpec } from '../scenario/spec.js';
import { buildDumbbell } from './dumbbell.js';
import { buildEdges } from './edges.js';
import { buildFatTree } from './fat-tree.js';
import { buildLeafSpine } from './leaf-spine.js';
import type { Network } from './network.js';
import { buildStar } from './star.js';
import { buildTwoDataCenters } from './two-data-centers.js';

/** Nodes that a topology will have, told before any is made. */
export function countNodes(spec: TopologySpec): number {
  switch (spec.kind) {
    case 'star':
      return spec.hosts + 1;
    case 'dumbbell':
      return spec.left + spec.right + 2;
    case 'leaf-spine':
      return spec.leaves * (spec.hostsPerLeaf + 1) + spec.spines;
    case 'fat-tree':
      return spec.k ** 3 / 4 + (5 * spec.k ** 2) / 4;
    case 'two-data-centers':
      return 2 * (spec.leaves * (spec.hostsPerLeaf + 1) + spec.spines + 1);
    case 'edges':
      return spec.nodes.length;
  }
}

/**
 * Builds the network of a topology.
 * @throws RoceError `invalid-scenario` for edges that don't fit together.
 */
export function buildNetwork(spec: TopologySpec): Network {
  switch (spec.kind) {
    case 'star':
      return buildStar(spec);
    case 'dumbbell':
      return buildDumbbell(spec);
    case 'leaf-spine':
      return buildLeafSpine(spec);
    case 'fat-tree':
      return buildFatTree(spec);
    case 'two-data-centers':
      return buildTwoDataCenters(spec);
    case 'edges':
      return buildEdges(spec);
  }
}
