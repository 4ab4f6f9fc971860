/** Topologies of a scenario, as plain data. */
import type { LinkSpec } from './link-spec.js';
import type { WanTopologySpec } from './wan-spec.js';

/** Nodes and links, by the kind of network. */
export type TopologySpec = StarSpec | DumbbellSpec | LeafSpineSpec | FatTreeSpec | TwoDataCentersSpec | EdgesSpec
  | FileTopologySpec;

/** One switch `s0` with all hosts. */
export interface StarSpec extends LinkSpec {
  /** One switch. */
  readonly kind: 'star';
  /** Hosts around the switch. */
  readonly hosts: number;
}

/** `left` hosts on `s0`, `right` hosts on `s1`, one link between. Hosts are numbered from the left. */
export interface DumbbellSpec extends LinkSpec {
  /** Two switches with hosts, one link between them. */
  readonly kind: 'dumbbell';
  /** Hosts at the first switch. */
  readonly left: number;
  /** Hosts at the second switch. */
  readonly right: number;
  /** The link between the switches; unset keys are as at the other links. */
  readonly bottleneck?: LinkSpec;
}

/** Every leaf is linked to every spine. */
export interface LeafSpineSpec extends LinkSpec {
  /** Every leaf is linked to every spine. */
  readonly kind: 'leaf-spine';
  /** Leaf switches. */
  readonly leaves: number;
  /** Spine switches. */
  readonly spines: number;
  /** Hosts at each leaf. */
  readonly hostsPerLeaf: number;
  /** Links between leaves and spines; unset keys are as at the other links. */
  readonly uplink?: LinkSpec;
}

/** k pods, (k/2)^2 cores, k^3/4 hosts; k even. */
export interface FatTreeSpec extends LinkSpec {
  /** A fat-tree of k-port switches. */
  readonly kind: 'fat-tree';
  /** Ports per switch, even. */
  readonly k: number;
}

/**
 * Two leaf-spine networks `dc0`, `dc1`, whose spines all link to a border switch `wan0`, `wan1`; a long link between, or a WAN
 * with provider edges and routers.
 */
export interface TwoDataCentersSpec extends LinkSpec {
  /** Two leaf-spine networks over a wide area link. */
  readonly kind: 'two-data-centers';
  /** Leaf switches of each. */
  readonly leaves: number;
  /** Spine switches of each. */
  readonly spines: number;
  /** Hosts at each leaf. */
  readonly hostsPerLeaf: number;
  /** Links between leaves and spines; unset keys are as at the other links. */
  readonly uplink?: LinkSpec;
  /** The network between them; links without their own values have 100 Gb/s and 1 ms. */
  readonly wan?: WanTopologySpec;
}

/**
 * Another program's topology file. The command line reads it; in code use `roce-cc/workloads`, whose topology replaces this one.
 */
export interface FileTopologySpec {
  /** A file. */
  readonly kind: 'file';
  /** Its format: `.topo` of htsim, SimAI's, or NCCL's topology XML. */
  readonly format: 'htsim' | 'simai' | 'nccl-xml';
  /** Path of the file, relative to the scenario. */
  readonly file: string;
  /** Of `nccl-xml`: servers as the file has one, whose NICs meet at one switch. Default 1. */
  readonly servers?: number;
}

/** Any network, link by link. */
export interface EdgesSpec {
  /** Any nodes and links. */
  readonly kind: 'edges';
  /** Names of all nodes in the order of their ids; ids decide addresses and hashes. */
  readonly nodes: readonly EdgeNodeSpec[];
  /** Links between nodes by name. */
  readonly links: readonly EdgeSpec[];
  /** Share of packets lost on links without an `errorRate`, 0 to 1. Default 0. */
  readonly errorRate?: number;
  /**
   * Ports of a switch towards a host in the order in which ECMP's hash indexes them, to replace the order that the library
   * derives (shortest paths; ports towards the highest node first).
   */
  readonly routes?: readonly RouteSpec[];
}

/** A node of a network defined link by link. */
export interface EdgeNodeSpec {
  /** Name, without a colon. */
  readonly name: string;
  /** Host or switch. */
  readonly kind: 'host' | 'switch';
}

/** Ports are numbered in the order of this list, at both ends. */
export interface EdgeSpec extends LinkSpec {
  /** Name of one end. */
  readonly from: string;
  /** Name of the other end. */
  readonly to: string;
  /** Share of packets lost on it, 0 to 1. Default 0. */
  readonly errorRate?: number;
}

/** A route instead of the shortest paths. */
export interface RouteSpec {
  /** Name of the node that forwards. */
  readonly node: string;
  /** Name of the destination host. */
  readonly destination: string;
  /** Names of the next nodes, in order. */
  readonly via: readonly string[];
}
