/** Topologies. */
import * as z from 'zod';
import { FILE_DEFAULTS } from '../../workloads/job-formats.js';
import { DEFAULT_ERROR_RATE, DEFAULT_PLANES } from './defaults.js';
import { alsoUnderUet, kindsOf, link, LINK, linkShape, listOf, name, NODES_MAX, numberIn, record, rejecting, text,
  typed, wholeIn, wordOf } from './schema-parts.js';
import { WAN_TOPOLOGY } from '../features/wan/schema.js';

/** Maximum number of links. */
export const LINKS_MAX = 2 ** 20;
/** The largest k whose number of nodes is below NODES_MAX. */
const FAT_TREE_MAX = 62;

const count = (meaning: string, least = 1): z.ZodNumber => wholeIn(least, NODES_MAX, meaning);

const STAR = record({ kind: z.literal('star'), hosts: count('Hosts h0, h1, … on one switch s0.', 2), ...LINK },
  'One switch s0 with all hosts.', 'StarSpec');

const DUMBBELL = record({
  kind: z.literal('dumbbell'),
  left: count('Hosts on s0, numbered from h0.'),
  right: count('Hosts on s1, numbered from there.'),
  bottleneck: link('The link between s0 and s1. Default: like the others.').exactOptional(),
  ...LINK,
}, 'Two switches with one link between them.', 'DumbbellSpec');

const LEAF_SPINE_SHAPE = {
  leaves: alsoUnderUet(count('Leaf switches.')),
  spines: alsoUnderUet(count('Spine switches.')),
  hostsPerLeaf: alsoUnderUet(count('Hosts on each leaf.')),
  uplink: alsoUnderUet(link('Links between leaves and spines. Default: as those of hosts.')).exactOptional(),
  ...LINK,
};

export const PLANES_MAX = 16;
const PLANES = wholeIn(1, PLANES_MAX,
  'Under standard: disjoint copies of the switches, p0. and so on before their names; each host has a port into each, of the rate of a link. Its adapter nic0, … is a node: it forwards without delay, at the rate of all planes. With 1 there are no adapters.',
  DEFAULT_PLANES)
  .exactOptional();

const LINK_OVERRIDES = listOf(
  record({ from: name('Name of one end.'), to: name('Name of the other end.'), ...linkShape() },
    'A link whose rate or delay differs; unset keys are unchanged.', 'LinkOverrideSpec'),
  0,
  LINKS_MAX,
  'Links whose rate or delay differs, by the names of their ends. Default: none.',
)
  .exactOptional();

const LEAF_SPINE = alsoUnderUet(record({
  kind: alsoUnderUet(z.literal('leaf-spine')),
  ...LEAF_SPINE_SHAPE,
  planes: PLANES,
  linkOverrides: LINK_OVERRIDES,
}, 'Every leaf is linked to every spine: leaf0, …, spine0, ….', 'LeafSpineSpec'));

const FAT_TREE = alsoUnderUet(record({
  kind: alsoUnderUet(z.literal('fat-tree')),
  k: alsoUnderUet(
    wholeIn(2, FAT_TREE_MAX, 'Ports of each switch, even: k^3/4 hosts.').multipleOf(2,
      rejecting({ min: 2, max: FAT_TREE_MAX, multipleOf: 2 })),
  ),
  planes: PLANES,
  linkOverrides: LINK_OVERRIDES,
  ...LINK,
}, 'A fat-tree of k-port switches: k pods, (k/2)^2 cores; edge0, …, agg0, …, core0, ….', 'FatTreeSpec'));

const TWO_DATA_CENTERS = record({
  kind: z.literal('two-data-centers'),
  ...LEAF_SPINE_SHAPE,
  wan: WAN_TOPOLOGY.exactOptional(),
},
  'Two leaf-spine networks dc0.leaf0, …, dc1.spine0, …; all spines of one link to its border switch, wan0 or wan1, with a long link between them or a WAN with provider edges and routers.',
  'TwoDataCentersSpec');

const NODE = record({
  name: name('Name of the node.'),
  kind: wordOf(['host', 'switch'], 'Hosts send and receive, switches forward.'),
}, 'A node; its id is its place in the list.', 'EdgeNodeSpec');

const EDGE = record({
  from: name('Name of one end.'),
  to: name('Name of the other end.'),
  errorRate: numberIn(0, 1, "Share of packets lost on the link. Default: the topology's.").exactOptional(),
  ...LINK,
}, 'A link; ports are numbered in the order of the list, at both ends.', 'EdgeSpec');

const ROUTE = record({
  node: name('The node that forwards.'),
  destination: name('The destination host.'),
  via: listOf(name('Name of a next node.'), 1, 4096, "Next nodes, in the order in which ECMP's hash indexes them."),
}, 'Next nodes instead of those of the shortest paths.', 'RouteSpec');

const EDGES = record({
  kind: z.literal('edges'),
  nodes: listOf(NODE, 2, NODES_MAX, 'All nodes, in the order of their ids, which decide addresses and hashes.'),
  links: listOf(EDGE, 1, LINKS_MAX, 'All links.'),
  errorRate: numberIn(0, 1, 'Share of packets lost on links without an errorRate.', DEFAULT_ERROR_RATE)
    .exactOptional(),
  routes: listOf(ROUTE, 0, LINKS_MAX, 'Manual routes. Default: shortest paths, ports towards the highest node first.')
    .exactOptional(),
}, 'Any network, link by link.', 'EdgesSpec');

const FILE = record({
  kind: z.literal('file'),
  format: z.enum(['htsim', 'simai', 'nccl-xml'], rejecting(['htsim', 'simai', 'nccl-xml'])).describe(
    "Format of the file: .topo of htsim, SimAI's, or NCCL's topology XML.",
  ),
  file: text('Path of the file, relative to the scenario.'),
  servers: wholeIn(1, 4096, 'Of nccl-xml: servers as the file has one, whose NICs meet at one switch.',
    FILE_DEFAULTS.servers).exactOptional(),
},
  "Another program's topology file. The command line reads it; in code use roce-cc/workloads, whose topology replaces this one.",
  'FileTopologySpec');

/** Any topology. */
export const TOPOLOGY_SCHEMA = typed('TopologySpec', z
  .discriminatedUnion('kind', [STAR, DUMBBELL, LEAF_SPINE, FAT_TREE, TWO_DATA_CENTERS, EDGES, FILE],
    kindsOf(['star', 'dumbbell', 'leaf-spine', 'fat-tree', 'two-data-centers', 'edges', 'file']))
  .describe('Nodes and links, by the kind of network.'));
