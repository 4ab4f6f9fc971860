/**
 * A scenario as plain data: what a user writes as JSON, and what `validateScenario` checks and completes.
 *
 * Every quantity has its unit in its name. Defaults are stated per field; `ValidScenario` has all of them filled in.
 * Nodes have names: hosts `h0`, `h1`, …; switches by topology (`s0`; `leaf0`, `spine0`; `edge0`, `agg0`,
 * `core0`; in two data centres `dc0.leaf0`, `wan0`).
 */

import type { NetworkProfileName } from '../../qos/network-profiles.js';
import type { AdaptiveSpec, CongaSpec, ConWeaveSpec, DrillSpec, LoadBalancing, PathSelection,
  RepsSpec } from './balancing-spec.js';
import type { CongestionPointSpec } from './congestion-point-spec.js';
import type { LinkDownSpec, PlaneDownSpec, SwitchDownSpec } from './down-spec.js';
import type { BitErrorsSpec, PauseStormSpec, SlowReceiverSpec, WatchdogSpec } from './hazard-spec.js';
import type { DiscoverySpec } from './discovery-spec.js';
import type { LinkSpec } from './link-spec.js';
import type { CollectiveSpec, JobSpec, ProgramSpec, Transport, WorkloadCommon } from './spec-jobs.js';
import type { IrnSpec, LossReaction, MrcSpec, Reordering, TolerantSpec } from './transport-spec.js';
import type { TrimmingSpec } from './trimming-spec.js';
import type { OperationSpec, RnrSpec } from './verb-spec.js';
import type { WanSpec, WanTopologySpec } from './wan-spec.js';

export type { BitErrorsSpec, PauseStormSpec, SlowReceiverSpec, WatchdogSpec };
export type * from './balancing-spec.js';
export type * from './congestion-point-spec.js';
export type * from './discovery-spec.js';
export type * from './link-spec.js';
export type * from './spec-jobs.js';
export type * from './down-spec.js';
export type * from './transport-spec.js';
export type * from './trimming-spec.js';
export type * from './verb-spec.js';
export type * from './wan-spec.js';
export type { NetworkProfileName };

/**
 * `standard`: as standards and papers specify. `reference`: the documented behaviour of the ns-3 simulator of HPCC's
 * authors, to the nanosecond. `reference-lossy`: that of ConWeave's ns-3 simulator, its descendant with losses, IRN and several
 * paths. docs/fidelity.md lists the differences.
 */
export type Fidelity = 'standard' | 'reference' | 'reference-lossy';

/** A network, its traffic, its settings and what is recorded of the run. */
export interface ScenarioSpec {
  /** Where editors find the schema; not read. */
  readonly $schema?: string;
  /** Name of the scenario, for tables and files. */
  readonly name: string;
  /** For readers; not interpreted. */
  readonly description?: string;
  /** Default `standard`. */
  readonly fidelity?: Fidelity;
  /** Seed of everything random, 0 to 2^32 - 1. Default 1. */
  readonly seed?: number;
  /**
   * Simulated time after which the run stops even if flows are unfinished. Default: 1,000,000 (1 s) after the last
   * start.
   */
  readonly durationUs?: number;
  /** Nodes and links. */
  readonly topology: TopologySpec;
  /** Flows. */
  readonly workload: WorkloadSpec | readonly WorkloadSpec[];
  /** Parameter sets by name. Default: one, `default`, of preset `dcqcn-sigcomm15`. */
  readonly algorithms?: Readonly<Record<string, AlgorithmSpec>>;
  /**
   * The network configuration of "RoCE Network Proposal" (slides 7 to 10) that sets switches, hosts and slow receivers. Default:
   * none; each setting applies on its own. With one, PFC, ECN and which devices pause can only be changed by `overrides` of
   * single nodes; transport and loss reaction are defaults. Fidelity `standard` only.
   */
  readonly network?: NetworkProfileName;
  /** Settings of all switches; `overrides` change single ones. */
  readonly switches?: SwitchSpec;
  /** Settings of all hosts. */
  readonly hosts?: HostSpec;
  /** Settings of single nodes. */
  readonly overrides?: readonly OverrideSpec[];
  /** Probes over the paths of all flows before they start. Default: none. Fidelity `standard` only. */
  readonly discovery?: DiscoverySpec;
  /** Tunnels, services, access lists and flow control of a WAN with provider edges. */
  readonly wan?: WanSpec;
  /** Faults of links and hosts. */
  readonly faults?: readonly FaultSpec[];
  /** What is recorded of the run. */
  readonly record?: RecordSpec;
  /**
   * Under `reference-lossy`: from this time on, checked each 100 us, the run ends if all flows are done (FLOWGEN_START_TIME of
   * its files). Default 0.
   */
  readonly endCheckFromUs?: number;
  /** `jobs`: the run ends when all jobs are done, whatever other flows remain. Default `all`: when all flows are done too. */
  readonly end?: 'all' | 'jobs';
  /** Repeated unchanged in the result; readers of other programs' files state here what they skipped. */
  readonly notes?: readonly string[];
}

// ---- Topologies

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
  /**
   * Under `standard`: disjoint copies of the switches, `p0.` and so on before their names; each host has a port into each, of the rate of a link.
   * Its adapter `nic0`, … is a node: it forwards without delay, at the rate of all planes. Default 1: no adapters, and names as they are.
   */
  readonly planes?: number;
}

/** k pods, (k/2)^2 cores, k^3/4 hosts; k even. */
export interface FatTreeSpec extends LinkSpec {
  /** A fat-tree of k-port switches. */
  readonly kind: 'fat-tree';
  /** Ports per switch, even. */
  readonly k: number;
  /**
   * Under `standard`: disjoint copies of the switches, `p0.` and so on before their names; each host has a port into each, of the rate of a link.
   * Its adapter `nic0`, … is a node: it forwards without delay, at the rate of all planes. Default 1: no adapters, and names as they are.
   */
  readonly planes?: number;
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

// ---- Workloads

/** Flows, by the kind of traffic. */
export type WorkloadSpec = FlowListSpec | IncastSpec | PermutationSpec | AllToAllSpec | RingAllReduceSpec | PoissonSpec
  | JobSpec | CollectiveSpec | ProgramSpec;

/** Flows, one by one. */
export interface FlowListSpec extends WorkloadCommon, OperationSpec {
  /** Flows as listed. */
  readonly kind: 'flows';
  /** The flows. */
  readonly flows: readonly FlowSpec[];
}

/** One flow between two hosts, given by name. */
export interface FlowSpec extends Omit<WorkloadCommon, 'startUs' | 'connections'>, OperationSpec {
  /** Name of the host that has the data. */
  readonly from: string;
  /** Name of the receiving host. */
  readonly to: string;
  /** Payload, bytes. */
  readonly sizeBytes: number;
  /** Relative to the workload's start. Default 0. */
  readonly startUs?: number;
  /** Picoseconds instead of `startUs`, where microseconds are too coarse. */
  readonly startPs?: number;
  /**
   * Name of the QP whose message it is, fidelity `standard` only: flows of the list with the same name share a QP. Default: as
   * `connections` of the list says.
   */
  readonly qp?: string;
  /** UDP source port, for hashes and captures. Default: 10,000 + the number of the pair's flow. */
  readonly sourcePort?: number;
  /** UDP destination port. Default 4,791. */
  readonly destinationPort?: number;
}

/** `senders` hosts send to one at once, the first hosts that aren't the receiver. */
export interface IncastSpec extends WorkloadCommon, OperationSpec {
  /** Several hosts to one. */
  readonly kind: 'incast';
  /** Number of sending hosts. */
  readonly senders: number;
  /** Default: the last host. */
  readonly to?: string;
  /** Payload of each flow, bytes. */
  readonly sizeBytes: number;
  /** Each sender starts this much after the previous one. Default 0. */
  readonly staggerUs?: number;
}

/** Each host sends to another one and receives once: a seeded random permutation without fixed points. */
export interface PermutationSpec extends WorkloadCommon, OperationSpec {
  /** Every host to another one, each receiving from exactly one. */
  readonly kind: 'permutation';
  /** Payload of each flow, bytes. */
  readonly sizeBytes: number;
}

/** Each host sends to every other host. */
export interface AllToAllSpec extends WorkloadCommon, OperationSpec {
  /** Every host to every other. */
  readonly kind: 'all-to-all';
  /** Payload of each flow, bytes. */
  readonly sizeBytes: number;
  /** Number of hosts that take part, from the first. Default: all. */
  readonly hosts?: number;
}

/** 2 (n - 1) steps of size / n each; a host starts a step when it has received the previous one. */
export interface RingAllReduceSpec extends WorkloadCommon {
  /** Reduction over a ring of hosts. */
  readonly kind: 'ring-all-reduce';
  /** Bytes reduced at each host. */
  readonly sizeBytes: number;
  /** Hosts in the ring. Default: all. */
  readonly hosts?: number;
}

/**
 * Distributions of flow sizes by name: WebSearch, FB_Hadoop, AliStorage, Solar and GoogleRPC in the points that the generators of the
 * reference simulators have; those that end in -roce-cc are this project's own, and not published.
 */
export type SizeDistributionName = 'WebSearch' | 'FB_Hadoop' | 'AliStorage' | 'Solar' | 'GoogleRPC'
  | 'FB_Hadoop-roce-cc' | 'AliStorage-roce-cc';

/**
 * A file of points, `size cumulative-percentage` on each line, as ns-3's generators have them. The command line reads it; in code
 * `readSizePoints` gives the points that replace it.
 */
export interface SizeFile {
  /** Path of the file, relative to the scenario. */
  readonly file: string;
}

/** Sizes of flows: a distribution by name, your own points, or a file of points. */
export type SizeDistribution = SizeDistributionName | SizeCdf | SizeFile;

/** Points of a cumulative distribution, linear between them: sizes ascending, shares 0 to 1 ascending, the last 1. */
export type SizeCdf = readonly {
  /** Payload of a flow, bytes. */
  readonly sizeBytes: number;
  /** Share of flows of at most this size, 0 to 1. */
  readonly share: number;
}[];

/** Flows between random pairs of hosts arrive as a Poisson process. */
export interface PoissonSpec extends WorkloadCommon, OperationSpec {
  /** Random pairs, exponential times between starts. */
  readonly kind: 'poisson';
  /** Share of the hosts' links that the flows fill on average, above 0 to 1. */
  readonly load: number;
  /** Sizes of flows: a name, or a distribution. */
  readonly sizes: SizeDistribution;
  /** Either the number of flows or how long they arrive. */
  readonly flows?: number;
  /** Time in which flows start, microseconds; instead of `flows`. */
  readonly arrivalsForUs?: number;
}

// ---- Settings

/**
 * A preset by its name (docs/scenarios.md has the table), and any of its parameters by its name in the
 * parameters' type. Line rate, base round trip and base window are derived from the network by default.
 */
export interface AlgorithmSpec {
  /** Name of a preset, or of a custom algorithm that is passed with the scenario. */
  readonly preset?: string;
  /** Instead of a preset: file of a custom algorithm, next to the scenario. */
  readonly file?: string;
  /** Hash of a custom algorithm's source: only that code runs. Results state it. Default: any code. */
  readonly sourceHash?: string;
  /** For presets that have published sets (`dcqcn-ns3`, `hpcc-ns3`). */
  readonly set?: string;
  /** Single parameters that differ from the preset's. */
  readonly parameters?: Readonly<Record<string, number | string | boolean>>;
  /**
   * Bound on bytes in flight: none, base window, or base window times rate over line rate. Default: that of the
   * algorithm, else none.
   */
  readonly window?: 'none' | 'fixed' | 'variable';
  /**
   * Base round trip and base window: of the longest path of all pairs of hosts, or of each flow's own path. Default
   * `longest`.
   */
  readonly baseRtt?: 'longest' | 'path';
}

/** Settings of a switch. */
export interface SwitchSpec {
  /** Shared packet memory. Default 33,554,432 (32 MiB), plus any headroom beyond half of that. */
  readonly bufferBytes?: number;
  /** Under `standard`: how classes share that memory. Default: `ingress-share`. */
  readonly buffer?: BufferSpec;
  /** Priority flow control. Default true. */
  readonly pfc?: boolean;
  /** When packets are marked; true or false: only whether. */
  readonly ecn?: EcnSpec | boolean;
  /** Whether Fast CNPs are sent, and how many; true or false: only whether. */
  readonly fastCnp?: SwitchFastCnpSpec | boolean;
  /**
   * Under `standard` and `reference`: a custom congestion point instead of the built-in rule of `ecn` and `fastCnp`, at ports where
   * `ecn` is enabled. Default: the built-in rule.
   */
  readonly congestionPoint?: CongestionPointSpec;
  /**
   * Memory reserved per port and class for data that arrives after a pause. Default: 3 times what the link's delay holds;
   * under `standard` also 3 packets and 8 pause frames.
   */
  readonly headroomBytes?: number;
  /** Traffic classes that every port sends before the others, the highest first, in addition to that of CNPs. Default none. */
  readonly strictClasses?: readonly number[];
  /** Under `reference-lossy`: how long a pause lasts after its last frame, above 0. Default 5. */
  readonly pauseTimeUs?: number;
  /** Which of several paths data takes; under `standard` it may differ between switches. Default `ecmp`. */
  readonly loadBalancing?: LoadBalancing;
  /**
   * Under `standard`, of `flowlet` and `conga`: a flow that sends nothing for longer begins a new flowlet, microseconds. Default:
   * of `flowlet` 100, of `conga` 500.
   */
  readonly flowletGapUs?: number;
  /** Under `standard`, of `drill`. */
  readonly drill?: DrillSpec;
  /** Under `standard`, of `conga`. */
  readonly conga?: CongaSpec;
  /** Under `standard`, of `adaptive`. */
  readonly adaptive?: AdaptiveSpec;
  /** Times of `conweave`. */
  readonly conWeave?: ConWeaveSpec;
  /** Under `standard`: detects queues that a pause holds for too long; true or false: only whether. Default: none. */
  readonly watchdog?: WatchdogSpec | boolean;
  /** Under `standard`: data packets of `mrc` without room are trimmed rather than dropped; true or false: only whether. Default: none. */
  readonly trimming?: TrimmingSpec | boolean;
}

/**
 * How classes share a switch's memory. `ingress-share`: all of them by port of arrival, as in the ns-3 reference simulator;
 * nothing limits an egress queue. `service-pools`: lossless classes likewise; the others have a separate pool, in which each
 * queue has a reserve and a dynamic limit, as in SONiC's buffer model.
 */
export type BufferSpec = {
  /** All classes by port of arrival. */
  readonly model: 'ingress-share';
} | ({
  /** A pool for lossless classes, and one for the others. */
  readonly model: 'service-pools';
} & PoolSpec);

/** The two pools of `service-pools`. */
export interface PoolSpec {
  /** Bytes of each switch's memory for lossy classes, reserves included; the rest is for lossless ones. */
  readonly lossyBytes: number;
  /** Classes that are paused rather than dropped, 1 to 7. Default 3, 4, as SONiC's. */
  readonly losslessClasses?: readonly number[];
  /** A lossy queue's limit is 2^dynamicTh of the free bytes, -7 to 6. Default 3, as SONiC's `egress_lossy_profile`. */
  readonly dynamicTh?: number;
  /** Bytes of each lossy queue that are not shared. Default 1,518, as there. */
  readonly reservedBytes?: number;
}

/** How a switch marks. */
export interface EcnSpec {
  /** Default true. */
  readonly enabled?: boolean;
  /** Queue length up to which no packet is marked, kilobytes. Default 100. */
  readonly kminKB?: number;
  /** Queue length from which all packets are marked, kilobytes. Default 400. */
  readonly kmaxKB?: number;
  /** Probability of a mark at Kmax. Default 0.2. */
  readonly pmax?: number;
  /** Whether thresholds are for 100 Gb/s and scale with the rate. Default true. */
  readonly scaleWithRate?: boolean;
  /** Where the queue is measured. Default `dequeue`. */
  readonly markAt?: 'dequeue' | 'enqueue';
  /** Thresholds for each rate of port, instead of the four above; must list every rate of a switch's ports. */
  readonly byRate?: readonly EcnRateSpec[];
}

/** Thresholds of ports of one rate. */
export interface EcnRateSpec {
  /** Ports of this rate, Gb/s. */
  readonly rateGbps: number;
  /** Queue length from which packets are marked, kilobytes. */
  readonly kminKB: number;
  /** Queue length from which all packets are marked, kilobytes. */
  readonly kmaxKB: number;
  /** Share of packets marked just below kmaxKB, 0 to 1. */
  readonly pmax: number;
}

/** draft-xiao-rtgwg-rocev2-fast-cnp-01: a congested switch notifies the sender itself. */
export interface SwitchFastCnpSpec {
  /** Default false. */
  readonly enabled?: boolean;
  /** 1: original destination. 2: also the telemetry of the path up to here. Default 1. */
  readonly option?: 1 | 2;
  /** Token bucket of a flow: Fast CNPs per second. Default 20,000. */
  readonly flowRatePerSecond?: number;
  /** Fast CNPs for one flow that may follow at once. Default 1. */
  readonly flowBurst?: number;
  /** Maximum Fast CNPs per second of one port. Default 1,000,000. */
  readonly portRatePerSecond?: number;
  /** Fast CNPs of one port that may follow at once. Default 64. */
  readonly portBurst?: number;
  /** Mark CE instead of sending a Fast CNP that the buckets hold back. Default false. */
  readonly markWhenLimited?: boolean;
}

/** Settings of hosts. */
export interface HostSpec extends RnrSpec {
  /**
   * RoCE payload per packet (path MTU): 256 to 4,096, under `reference` 1 to 65,000. Default 1,024; under `reference`
   * 1,000.
   */
  readonly mtuBytes?: number;
  /** Least time between two CNPs of a QP. Default 50. */
  readonly cnpIntervalUs?: number;
  /** Delay from a marked packet's arrival until its CNP leaves. Default 0. */
  readonly cnpDelayUs?: number;
  /** Whether receivers send CNPs for marks, `standard` only. Vendors' switch for it: `roce_np`. Default true. */
  readonly notificationPoint?: boolean;
  /** Whether Fast CNPs are accepted. Default: whether any switch sends them, or has a custom congestion point. */
  readonly acceptFastCnp?: boolean;
  /**
   * Reaction of a flow's sender to a Fast CNP: congestion control only, or also the next UDP source port,
   * so that the flow may bypass the congested switch (draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4). Default `slow-down`.
   */
  readonly onFastCnp?: 'slow-down' | 'slow-down-and-detour';
  /** Under `standard`: how a flow's sender chooses the UDP source port of each data packet. Default `flow`. */
  readonly pathSelection?: PathSelection;
  /**
   * Under `standard`, of `pathSelection`: number of entropies of a flow, a power of two from 1 to 16,384. Default: of `bitmap`
   * 64, of `oblivious` and `reps` 16,384.
   */
  readonly entropies?: number;
  /** Under `standard`, of `pathSelection` `reps`. */
  readonly reps?: RepsSpec;
  /**
   * Retransmission timeout; 0 = none. Default: the longest time that queues on a flow's path can hold a packet (at least 500);
   * under `reference` 0.
   */
  readonly retransmitTimeoutUs?: number;
  /**
   * Whether packets are spaced by the flow's rate. false: by the port's, so that only windows limit a flow. Default true.
   */
  readonly paced?: boolean;
  /**
   * Which of a host's flows sends next: round-robin, or, as long as it may send, the one that began first. Default: `turns`;
   * with jobs and no other flows `first-come`, as a message occupies its port in the models of their formats.
   */
  readonly service?: 'turns' | 'first-come';
  /** Whether a pause of their class (under `reference` of class 3) holds back a host's ACKs. Default true. */
  readonly acksPausable?: boolean;
  /**
   * Under `reference`: until this many bytes of a flow have arrived, ACKs are sent at multiples of `ackChunkBytes` only
   * (L2_ACK_INTERVAL, L2_CHUNK_SIZE of its files). Default 0 and 4,000.
   */
  readonly ackIntervalBytes?: number;
  /** Multiple of bytes at which ACKs are sent, fidelity `reference` only. Default 4,000. */
  readonly ackChunkBytes?: number;
  /**
   * How losses are retransmitted; under `reference-lossy` `go-back-n` or `irn`, not set under `reference`. Default
   * `go-back-n`.
   */
  readonly transport?: Transport;
  /**
   * Under `standard`: `transport` by what receivers do with packets that arrive out of order: `none` is `go-back-n`, the others have the
   * same name in both. Both may be set if they agree. Default: as `transport`.
   */
  readonly reordering?: Reordering;
  /** Of `irn`; the same for all hosts. */
  readonly irn?: IrnSpec;
  /** Under `standard`, of `tolerant`; the same for all hosts. */
  readonly tolerant?: TolerantSpec;
  /** Under `standard`, of `mrc`; the same for all hosts. */
  readonly mrc?: MrcSpec;
  /**
   * Under `standard`, of all transports but `go-back-n`: out-of-order packets are kept if fewer packets ahead of the expected
   * one, 1 to 65,536; senders of `tolerant` and `mrc` send no further ahead. Default: the largest product of round trip and least rate of all
   * pairs of hosts, at least 128 packets, for `tolerant` and `mrc` 1,024.
   */
  readonly reorderingWindowPackets?: number;
  /**
   * Under `standard`, instead of `retransmitTimeoutUs`: IBTA's Local ACK Timeout n, 4.096 us x 2^n, 0 to 31; 0 = none (vol. 1,
   * 11.2). Not for `irn`, which has its own timeouts.
   */
  readonly timeout?: number;
  /**
   * Under `standard`: consecutive retries without progress, 0 to 7 (IBTA vol. 1, 9.9.2: retry counter), after which a flow
   * fails (`retry-exceeded`). Timeouts count, and NAKs except under `irn`; of `mrc`, NACKs. Default: unlimited.
   */
  readonly retryCount?: number;
  /** Under `standard`: how congestion control reacts to a loss. Default: `algorithm`; for flows of `irn` `none`. */
  readonly lossReaction?: LossReaction;
  /**
   * Under `standard`: a QP that has had no bytes in flight for this long begins its next message as when it was opened, at line
   * rate; microseconds. Default: never, it keeps the state of its algorithm.
   */
  readonly idleRestartUs?: number;
  /** Under `reference-lossy`: least time between two NAKs for the same packet. Default 4. */
  readonly nakIntervalUs?: number;
  /**
   * Under `reference-lossy`: `go-back-n` goes back to a multiple of this many bytes (L2_BACK_TO_ZERO, L2_CHUNK_SIZE). Default 0:
   * to the lost packet.
   */
  readonly backToZeroBytes?: number;
}

/** Settings of single nodes instead of those of all nodes. */
export interface OverrideSpec {
  /** Names of the nodes. */
  readonly nodes: readonly string[];
  /** Differing settings of switches. */
  readonly switch?: SwitchSpec;
  /** Differing settings of hosts. */
  readonly host?: HostOverrideSpec;
}

/** Settings in which hosts may differ: CNPs, reordering window and RNR timer as receivers, the others as senders. */
export type HostOverrideSpec = Pick<
  HostSpec,
  'cnpIntervalUs' | 'cnpDelayUs' | 'notificationPoint' | 'acceptFastCnp' | 'retransmitTimeoutUs' | 'mtuBytes'
    | 'onFastCnp' | 'pathSelection' | 'transport' | 'reordering' | 'timeout' | 'retryCount' | 'reorderingWindowPackets'
    | 'lossReaction' | 'rnrTimerCode' | 'rnrRetryCount'
>;

/** A fault of a link or a host. */
export type FaultSpec = LinkDownSpec | SwitchDownSpec | PlaneDownSpec | {
  /** Packets are lost on a link, in both directions. */
  readonly kind: 'loss';
  /** Names of the nodes at its ends. */
  readonly between: readonly [string, string];
  /** Share of packets lost, 0 to 1. */
  readonly share: number;
  /** Which packets. Default `all`. */
  readonly of?: 'all' | 'data' | 'acks' | 'cnps';
} | {
  /** Packets are corrupted on a link: their ICRC is wrong on arrival, and the host counts and drops them. */
  readonly kind: 'corruption';
  /** Names of the nodes at its ends. */
  readonly between: readonly [string, string];
  /** Share of packets corrupted, 0 to 1. */
  readonly share: number;
} | {
  /** Under `standard` and `reference-lossy`: an arrival of one packet at a switch is lost. */
  readonly kind: 'drop';
  /** Number of the flow. */
  readonly flow: number;
  /** Under `standard`: a data packet, or ACKs and NAKs. Default `data`. */
  readonly of?: 'data' | 'ack';
  /** The packet's first byte in its flow; of an ACK the byte that it expects. */
  readonly firstByte: number;
  /** Which arrival, from 1, counted over all switches. */
  readonly arrival: number;
} | PauseStormSpec | SlowReceiverSpec | BitErrorsSpec;

/** A fault of a link. */
export type LinkFaultSpec = Extract<FaultSpec, {
  /** Names of the nodes at its ends. */
  readonly between: unknown;
}>;

/** What is recorded of a run. */
export interface RecordSpec {
  /** Interval of the series. Default: 1/1,000 of the ideal completion time of all flows, at least 1. */
  readonly intervalUs?: number;
  /** Maximum samples of each series; beyond it, every second one is dropped and the interval doubles. Default 2,000. */
  readonly maxSamples?: number;
  /**
   * Ports whose queue and utilisation are kept, as `node:peer`; `auto`: the 8 with the longest queues. Default `auto`.
   */
  readonly ports?: 'auto' | 'all' | readonly string[];
  /** Flows whose rate is kept. Default: the first 64. */
  readonly flows?: 'all' | number;
  /** Operations of each job whose times are kept: the first of each rank. Default 4,096. */
  readonly operations?: number;
  /**
   * `each`: a message of a job is a flow with its own result. `sums`: each job has the sums of its messages, and only those in
   * flight need memory; with fidelity `standard`, jobs without other flows, plain go-back-N. Default `each`.
   */
  readonly messages?: 'each' | 'sums';
  /** Of `sums`: messages that can be in flight at a time, 1 to 2^22. Default 65,536. */
  readonly messageRecords?: number;
  /** Ports of which a capture is made, as `node:peer`. */
  readonly capture?: readonly string[];
  /**
   * Under `standard`: whether to account for flows that a pause holds although their own path is free. Default: where faults,
   * watchdogs or routes in a cycle make it likely.
   */
  readonly victims?: boolean;
  /** Whether the result lists all pauses and their times (`pauses`). Default false. */
  readonly pauses?: boolean;
  /** Whether and when the lengths of all switch queues are counted (`queueHistogram`). Default: they are not. */
  readonly queueHistogram?: QueueHistogramSpec;
}

/** When the lengths of all switch queues are counted. */
export interface QueueHistogramSpec {
  /** First poll, microseconds. */
  readonly fromUs: number;
  /** No poll after this time, microseconds. */
  readonly toUs: number;
  /** Polling interval, microseconds. Default 0.1, as the reference simulator's monitor. */
  readonly everyUs?: number;
}
