/** The schema of topologies; the types are in spec.ts. */
import * as z from 'zod';
import { FILE_DEFAULTS } from '../../workloads/file-defaults.js';
import { DEFAULT_ERROR_RATE, DEFAULT_PLANES } from './defaults.js';
import { LINK, link } from './schema-links.js';
import { kindsOf, listOf, name, NODES_MAX, numberIn, record, rejecting, text, wholeIn,
  wordOf } from './schema-parts.js';
import { WAN_TOPOLOGY } from './schema-wan.js';

/** Maximum number of links. */
export const LINKS_MAX = 2 ** 20;
/** k = 62 is the largest whose nodes stay below NODES_MAX. */
const FAT_TREE_MAX = 62;

const count = (meaning: string, least = 1): z.ZodNumber => wholeIn(least, NODES_MAX, meaning);

const STAR = record({ kind: z.literal('star'), hosts: count('Hosts h0, h1, … on one switch s0.', 2), ...LINK },
  'One switch with all hosts.');

const DUMBBELL = record({
  kind: z.literal('dumbbell'),
  left: count('Hosts on s0, numbered from h0.'),
  right: count('Hosts on s1, numbered from there.'),
  bottleneck: link('The link between s0 and s1. Default: as the other links.').exactOptional(),
  ...LINK,
}, 'Two switches with one link between them.');

const LEAF_SPINE_SHAPE = {
  leaves: count('Leaf switches.'),
  spines: count('Spine switches.'),
  hostsPerLeaf: count('Hosts on each leaf.'),
  uplink: link('Links between leaves and spines. Default: as those of hosts.').exactOptional(),
  ...LINK,
};

const PLANES_MAX = 16;
const PLANES = wholeIn(1, PLANES_MAX,
  'Under standard: disjoint copies of the switches, into each of which every host has a port.', DEFAULT_PLANES)
  .exactOptional();

const LEAF_SPINE = record({ kind: z.literal('leaf-spine'), ...LEAF_SPINE_SHAPE, planes: PLANES },
  'Every leaf to every spine: leaf0, …, spine0, ….');

const FAT_TREE = record({
  kind: z.literal('fat-tree'),
  k: wholeIn(2, FAT_TREE_MAX, 'Ports of each switch, even: k^3/4 hosts.').multipleOf(2,
    rejecting({ min: 2, max: FAT_TREE_MAX, multipleOf: 2 })),
  planes: PLANES,
  ...LINK,
}, 'Three layers of k-port switches: edge0, …, agg0, …, core0, ….');

const TWO_DATA_CENTERS = record({
  kind: z.literal('two-data-centers'),
  ...LEAF_SPINE_SHAPE,
  wan: WAN_TOPOLOGY.exactOptional(),
}, 'Two leaf-spine networks dc0.leaf0, …, dc1.spine0, …; all spines of one link to its border switch, wan0 or wan1.');

const NODE = record({
  name: name('Name of the node.'),
  kind: wordOf(['host', 'switch'], 'Hosts send and receive, switches forward.'),
}, 'A node; its id is its place in the list.');

const EDGE = record({
  from: name('Name of one end.'),
  to: name('Name of the other end.'),
  errorRate: numberIn(0, 1, "Share of packets lost on the link. Default: the topology's.").exactOptional(),
  ...LINK,
}, 'A link; ports are numbered in the order of the list, at both ends.');

const ROUTE = record({
  node: name('The node that forwards.'),
  destination: name('The destination host.'),
  via: listOf(name('Name of a next node.'), 1, 4096, "Next nodes, in the order in which ECMP's hash indexes them."),
}, 'Next nodes instead of those that the library derives.');

const EDGES = record({
  kind: z.literal('edges'),
  nodes: listOf(NODE, 2, NODES_MAX, 'All nodes, in the order of their ids.'),
  links: listOf(EDGE, 1, LINKS_MAX, 'All links.'),
  errorRate: numberIn(0, 1, 'Share of packets lost on links without an errorRate.', DEFAULT_ERROR_RATE)
    .exactOptional(),
  routes: listOf(ROUTE, 0, LINKS_MAX, 'Routes by hand. Default: shortest paths.').exactOptional(),
}, 'Any network, link by link.');

const FILE = record({
  kind: z.literal('file'),
  format: z.enum(['htsim', 'simai', 'nccl-xml'], rejecting(['htsim', 'simai', 'nccl-xml'])).describe(
    'Format of the file.',
  ),
  file: text('Path of the file, relative to the scenario.'),
  servers: wholeIn(1, 4096, 'Of nccl-xml: servers as the file has one.', FILE_DEFAULTS.servers).exactOptional(),
}, "A topology's file of another program.");

/** Any topology. */
export const TOPOLOGY_SCHEMA = z
  .discriminatedUnion('kind', [STAR, DUMBBELL, LEAF_SPINE, FAT_TREE, TWO_DATA_CENTERS, EDGES, FILE],
    kindsOf(['star', 'dumbbell', 'leaf-spine', 'fat-tree', 'two-data-centers', 'edges', 'file']))
  .describe('The network.');
