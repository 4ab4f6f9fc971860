/**
 * A scenario as plain data: what a user writes as JSON, and what `validateScenario` checks and completes.
 *
 * Every name of a quantity carries its unit. Defaults are stated per field; `ValidScenario` has none left out.
 * Nodes are named: hosts `h0`, `h1`, …; switches as their topology says (`s0`; `leaf0`, `spine0`; `edge0`, `agg0`,
 * `core0`; in two data centres `dc0.leaf0`, `wan0`).
 */

import type { NetworkProfileName } from '../../qos/network-profiles.js';
import type { CongaSpec, DrillSpec } from './balancing-spec.js';
import type { BitErrorsSpec, PauseStormSpec, SlowReceiverSpec, WatchdogSpec } from './hazard-spec.js';
import type { DiscoverySpec } from './discovery-spec.js';
import type { LinkSpec } from './link-spec.js';
import type { CollectiveSpec, JobSpec, ProgramSpec, Transport, WorkloadCommon } from './spec-jobs.js';
import type { WanSpec, WanTopologySpec } from './wan-spec.js';

export type { BitErrorsSpec, CongaSpec, DrillSpec, PauseStormSpec, SlowReceiverSpec, WatchdogSpec };
export type * from './discovery-spec.js';
export type * from './link-spec.js';
export type * from './spec-jobs.js';
export type * from './wan-spec.js';
export type { NetworkProfileName };

/**
 * `standard`: what standards and papers say. `reference`: the documented behaviour of the ns-3 simulator of HPCC's
 * authors, to the nanosecond. `reference-lossy`: that of ConWeave's ns-3 simulator, its descendant with losses, IRN and several
 * paths. docs/fidelity.md has each difference.
 */
export type Fidelity = 'standard' | 'reference' | 'reference-lossy';

/** A network, what it carries, how it is set up and what is kept of the run. */
export interface ScenarioSpec {
  /** Where editors find the schema; not read. */
  readonly $schema?: string;
  /** Name of the scenario, for tables and files. */
  readonly name: string;
  /** For people; not read. */
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
   * The network configuration of "RoCE Network Proposal" (slides 7 to 10) that switches, hosts and slow receivers are set for. Default: none
   * of them; single settings hold. PFC, ECN and who pauses can't be stated otherwise beside it but by `overrides` of single nodes; transport
   * and reaction to losses are defaults. Fidelity `standard` alone.
   */
  readonly network?: NetworkProfileName;
  /** Settings of all switches; `overrides` change single ones. */
  readonly switches?: SwitchSpec;
  /** Settings of all hosts. */
  readonly hosts?: HostSpec;
  /** Settings of single nodes. */
  readonly overrides?: readonly OverrideSpec[];
  /** Probes over the paths of all flows before they start. Default: none. Fidelity `standard` alone. */
  readonly discovery?: DiscoverySpec;
  /** Tunnels, services, access lists and flow control of a WAN with provider edges. */
  readonly wan?: WanSpec;
  /** What goes wrong on links. */
  readonly faults?: readonly FaultSpec[];
  /** What is kept of the run. */
  readonly record?: RecordSpec;
  /**
   * Under `reference-lossy`: from here on, each 100 us, the run ends if all flows are done (FLOWGEN_START_TIME of its
   * files). Default 0.
   */
  readonly endCheckFromUs?: number;
  /** `jobs`: the run ends when all jobs are done, whatever other flows there are. Default `all`: when all flows are done too. */
  readonly end?: 'all' | 'jobs';
  /** Said with the result as they are; readers of other programs' files state here what they passed over. */
  readonly notes?: readonly string[];
}

// ---- Topologies

/** Nodes and links, by the kind of network. */
export type TopologySpec = StarSpec | DumbbellSpec | LeafSpineSpec | FatTreeSpec | TwoDataCentersSpec | EdgesSpec
  | FileTopologySpec;

/** One switch `s0`, all hosts on it. */
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
  /** The link between the switches; as the others where it says nothing. */
  readonly bottleneck?: LinkSpec;
}

/** Every leaf to every spine. */
export interface LeafSpineSpec extends LinkSpec {
  /** Every leaf is linked to every spine. */
  readonly kind: 'leaf-spine';
  /** Leaf switches. */
  readonly leaves: number;
  /** Spine switches. */
  readonly spines: number;
  /** Hosts at each leaf. */
  readonly hostsPerLeaf: number;
  /** Links between leaves and spines; as the others where it says nothing. */
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
 * Two leaf-spine networks `dc0`, `dc1`, whose spines all link to a border switch `wan0`, `wan1`; a long link between, or a WAN with
 * provider edges and routers.
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
  /** Links between leaves and spines; as the others where it says nothing. */
  readonly uplink?: LinkSpec;
  /** What lies between them. Its links: default 100 Gb/s, 1 ms. */
  readonly wan?: WanTopologySpec;
}

/** A topology's file of another program. The command line reads it; in code `roce-cc/workloads` does, and its topology takes this one's place. */
export interface FileTopologySpec {
  /** A file. */
  readonly kind: 'file';
  /** Whose it is: `.topo` of htsim, or SimAI's. */
  readonly format: 'htsim' | 'simai';
  /** Path of the file, from where the scenario is. */
  readonly file: string;
}

/** Any network, link by link. */
export interface EdgesSpec {
  /** Any nodes and links. */
  readonly kind: 'edges';
  /** Names of all nodes in the order of their ids; ids decide addresses and hashes. */
  readonly nodes: readonly EdgeNodeSpec[];
  /** Links between nodes by name. */
  readonly links: readonly EdgeSpec[];
  /** Share of packets lost on links that say nothing of it, 0 to 1. Default 0. */
  readonly errorRate?: number;
  /**
   * Ports of a switch towards a host in the order in which ECMP's hash indexes them, where the order that the library
   * derives (shortest paths; ports towards the highest node first) isn't wanted.
   */
  readonly routes?: readonly RouteSpec[];
}

/** A node of a network that is given link by link. */
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
  /** Name of the host that is routed to. */
  readonly destination: string;
  /** Names of the next nodes, in order. */
  readonly via: readonly string[];
}

// ---- Workloads

/** Flows, by the kind of traffic. */
export type WorkloadSpec = FlowListSpec | IncastSpec | PermutationSpec | AllToAllSpec | RingAllReduceSpec | PoissonSpec
  | JobSpec | CollectiveSpec | ProgramSpec;

/** Flows, one by one. */
export interface FlowListSpec extends WorkloadCommon {
  /** Flows as listed. */
  readonly kind: 'flows';
  /** The flows. */
  readonly flows: readonly FlowSpec[];
}

/** One flow between two hosts, known by their names. */
export interface FlowSpec extends Omit<WorkloadCommon, 'startUs'> {
  /** Name of the sending host. */
  readonly from: string;
  /** Name of the receiving host. */
  readonly to: string;
  /** Payload, bytes. */
  readonly sizeBytes: number;
  /** Relative to the workload's start. Default 0. */
  readonly startUs?: number;
  /** Picoseconds instead of `startUs`, where microseconds are too coarse. */
  readonly startPs?: number;
  /** UDP source port, for hashes and captures. Default: 10,000 + the number of the pair's flow. */
  readonly sourcePort?: number;
  /** UDP destination port. Default 4,791. */
  readonly destinationPort?: number;
}

/** `senders` hosts send to one at once, the first hosts that aren't the receiver. */
export interface IncastSpec extends WorkloadCommon {
  /** Several hosts to one. */
  readonly kind: 'incast';
  /** How many hosts send. */
  readonly senders: number;
  /** Default: the last host. */
  readonly to?: string;
  /** Payload of each flow, bytes. */
  readonly sizeBytes: number;
  /** Each sender starts this much after the one before. Default 0. */
  readonly staggerUs?: number;
}

/** Each host sends to another one, each receives once: a seeded random permutation without fixed points. */
export interface PermutationSpec extends WorkloadCommon {
  /** Every host to another one, each being sent to once. */
  readonly kind: 'permutation';
  /** Payload of each flow, bytes. */
  readonly sizeBytes: number;
}

/** Each host sends to each other one. */
export interface AllToAllSpec extends WorkloadCommon {
  /** Every host to every other. */
  readonly kind: 'all-to-all';
  /** Payload of each flow, bytes. */
  readonly sizeBytes: number;
  /** Number of hosts that take part, from the first. Default: all. */
  readonly hosts?: number;
}

/** 2 (n - 1) steps of size / n each; a host starts a step when it has received the step before. */
export interface RingAllReduceSpec extends WorkloadCommon {
  /** Reduction over a ring of hosts. */
  readonly kind: 'ring-all-reduce';
  /** Bytes reduced at each host. */
  readonly sizeBytes: number;
  /** Hosts in the ring. Default: all. */
  readonly hosts?: number;
}

/** Sizes of flows: a published distribution by its name, or one's own. */
export type SizeDistribution = 'WebSearch' | 'FB_Hadoop' | 'AliStorage' | SizeCdf;

/** Points of a cumulative distribution, linear between them: sizes ascending, shares 0 to 1 ascending, the last 1. */
export type SizeCdf = readonly {
  /** Payload of a flow, bytes. */
  readonly sizeBytes: number;
  /** Share of flows that have at most so much, 0 to 1. */
  readonly share: number;
}[];

/** Flows between random pairs of hosts arrive as a Poisson process. */
export interface PoissonSpec extends WorkloadCommon {
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
 * A preset by its name (docs/scenarios.md has the table), and any of its parameters by the name that it has in the
 * parameters' type. Line rate, base round trip and base window come from the network where they aren't given.
 */
export interface AlgorithmSpec {
  /** Name of the preset. */
  readonly preset: string;
  /** Of presets that have published sets (`dcqcn-ns3`, `hpcc-ns3`). */
  readonly set?: string;
  /** Single parameters that differ from the preset's. */
  readonly parameters?: Readonly<Record<string, number | string | boolean>>;
  /**
   * Bound on bytes in flight: none, base window, or base window times rate over line rate. Default: as the algorithm
   * has it, else none.
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
  /** Shared packet memory. Default 33,554,432 (32 MiB), and what headroom takes beyond half of that. */
  readonly bufferBytes?: number;
  /** Under `standard`: how classes share that memory. Default: `ingress-share`. */
  readonly buffer?: BufferSpec;
  /** Priority flow control. Default true. */
  readonly pfc?: boolean;
  /** When packets are marked. */
  readonly ecn?: EcnSpec;
  /** Whether Fast CNPs are sent, and how many. */
  readonly fastCnp?: SwitchFastCnpSpec;
  /**
   * Memory set aside per port and class for what arrives after a pause. Default: 3 times what the link's delay holds;
   * under `standard` also 3 packets and 8 pause frames.
   */
  readonly headroomBytes?: number;
  /** Traffic classes that every port sends before the others, the highest first, beside that of CNPs. Default none. */
  readonly strictClasses?: readonly number[];
  /** Under `reference-lossy`: how long a pause lasts behind its last frame, above 0. Default 5. */
  readonly pauseTimeUs?: number;
  /** Which of several paths data takes; under `standard` switches may differ in it. Default `ecmp`. */
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
  /** Times of `conweave`. */
  readonly conWeave?: ConWeaveSpec;
  /** Under `standard`: looks after queues that a pause holds for long. Default: none. */
  readonly watchdog?: WatchdogSpec;
}

/**
 * How classes share a switch's memory. `ingress-share`: all of them by port of arrival, as the ns-3 reference simulator has it; nothing limits
 * what waits for an egress port. `service-pools`: lossless classes so; the others have a separate pool, in which each queue has a reserve and
 * a dynamic limit, as in SONiC's buffer model.
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
  /** Bytes of each switch's memory for lossy classes, with what is reserved; the rest is for lossless ones. */
  readonly lossyBytes: number;
  /** Classes that are paused rather than dropped, 1 to 7. Default 3, 4, as SONiC's. */
  readonly losslessClasses?: readonly number[];
  /** A lossy queue's limit is 2^dynamicTh of what is free, -7 to 6. Default 3, as SONiC's `egress_lossy_profile`. */
  readonly dynamicTh?: number;
  /** Bytes of each lossy queue that are not shared. Default 1,518, as there. */
  readonly reservedBytes?: number;
}

/**
 * Which of several equal paths a data packet takes: `ecmp` by a hash of its flow; `drill` per packet the shortest of some random
 * queues and of those that were short before; `conga` the least loaded one per flowlet, by feedback of the leaves. Under `standard`
 * also `random` and `round-robin` per packet; `flowlet` a random one per flowlet (LetFlow); `least-queue` per packet the port with the
 * shortest queue (adaptive routing). Under `reference-lossy` also `letflow`; and `conweave` another one when the present one is late,
 * the last leaf puts packets in order again.
 */
export type LoadBalancing = 'ecmp' | 'random' | 'round-robin' | 'flowlet' | 'drill' | 'conga' | 'least-queue'
  | 'letflow' | 'conweave';

/** Times of ConWeave, microseconds: C. H. Song et al., SIGCOMM 2023; keys of its simulator. */
export interface ConWeaveSpec {
  /** A flow that was silent for longer chooses again (CONWEAVE_TX_EXPIRY_TIME). Default 1,000. */
  readonly expiryUs?: number;
  /** Beyond the path's delay until a reply is late (CONWEAVE_REPLY_TIMEOUT_EXTRA). Default 4. */
  readonly replyExtraUs?: number;
  /** How long a congested path is not chosen (CONWEAVE_PATH_PAUSE_TIME). Default 8. */
  readonly pathPauseUs?: number;
  /** Beyond the expected gap until held packets go on (CONWEAVE_EXTRA_VOQ_FLUSH_TIME). Default 32. */
  readonly flushExtraUs?: number;
  /** That gap where none is known (CONWEAVE_DEFAULT_VOQ_WAITING_TIME). Default 500. */
  readonly defaultWaitUs?: number;
}

/** How a switch marks. */
export interface EcnSpec {
  /** Default true. */
  readonly enabled?: boolean;
  /** Queue up to which nothing is marked, kilobytes. Default 100. */
  readonly kminKB?: number;
  /** Queue from which all packets are marked, kilobytes. Default 400. */
  readonly kmaxKB?: number;
  /** Probability of a mark at Kmax. Default 0.2. */
  readonly pmax?: number;
  /** Are thresholds for 100 Gb/s, and in proportion at other rates? Default true. */
  readonly scaleWithRate?: boolean;
  /** Where the queue is looked at. Default `dequeue`. */
  readonly markAt?: 'dequeue' | 'enqueue';
  /** Thresholds for each rate of port, instead of the four above; every rate of a switch's port has to be here. */
  readonly byRate?: readonly EcnRateSpec[];
}

/** Thresholds of ports of one rate. */
export interface EcnRateSpec {
  /** Ports of this rate, Gb/s. */
  readonly rateGbps: number;
  /** Queue from which packets are marked, kilobytes. */
  readonly kminKB: number;
  /** Queue from which all packets are marked, kilobytes. */
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
  /** Most Fast CNPs per second of one port. Default 1,000,000. */
  readonly portRatePerSecond?: number;
  /** Fast CNPs of one port that may follow at once. Default 64. */
  readonly portBurst?: number;
  /** Mark CE instead of a Fast CNP that the buckets hold back. Default false. */
  readonly markWhenLimited?: boolean;
}

/** Settings of hosts. */
export interface HostSpec {
  /**
   * RoCE payload per packet (path MTU): 256 to 4,096, under `reference` 1 to 65,000. Default 1,024; under `reference`
   * 1,000.
   */
  readonly mtuBytes?: number;
  /** Least time between two CNPs of a QP. Default 50. */
  readonly cnpIntervalUs?: number;
  /** From a marked packet's arrival until its CNP leaves. Default 0. */
  readonly cnpDelayUs?: number;
  /** Do receivers answer marks with CNPs, `standard` only? Vendors' switch for it: `roce_np`. Default true. */
  readonly notificationPoint?: boolean;
  /** Are Fast CNPs accepted? Default: whether any switch sends them. */
  readonly acceptFastCnp?: boolean;
  /**
   * What the sender of a flow does on a Fast CNP that it reacts to: congestion control alone, or it also takes the next UDP source port,
   * so that the flow may pass the congested switch by (draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4). Default `slow-down`.
   */
  readonly onFastCnp?: 'slow-down' | 'slow-down-and-detour';
  /**
   * Retransmission timeout; 0 = none. Default: as long as the queues on a flow's path can hold a packet (at least 500);
   * under `reference` 0.
   */
  readonly retransmitTimeoutUs?: number;
  /**
   * Are packets spaced by the flow's rate? false: by the port's, so that windows alone slow a flow down. Default true.
   */
  readonly paced?: boolean;
  /**
   * Which of a host's flows sends next: each in its turn, or, as long as it may send, the one that began first. Default: `turns`;
   * with jobs and no other flows `first-come`, as a message occupies its port in the models of their formats.
   */
  readonly service?: 'turns' | 'first-come';
  /** Does a pause of their class (under `reference` of class 3) hold back a host's ACKs? Default true. */
  readonly acksPausable?: boolean;
  /**
   * Under `reference`: until this many bytes of a flow have come, ACKs are sent at multiples of `ackChunkBytes` only (L2_ACK_INTERVAL, L2_CHUNK_SIZE of its files). Default 0 and 4,000.
   */
  readonly ackIntervalBytes?: number;
  /** Multiple of bytes at which ACKs are sent, fidelity `reference` only. Default 4,000. */
  readonly ackChunkBytes?: number;
  /**
   * How flows send again what is lost; under `reference-lossy` `go-back-n` or `irn`, under `reference` none is stated. Default
   * `go-back-n`.
   */
  readonly transport?: Transport;
  /** Of `irn`; the same for all hosts. */
  readonly irn?: IrnSpec;
  /**
   * Under `standard`, of `selective-repeat` and `irn`: a packet is kept that is fewer packets ahead of the one
   * expected, 1 to 65,536. Default: the largest product of round trip and least rate of all pairs of hosts, at least 128 packets.
   */
  readonly reorderingWindowPackets?: number;
  /**
   * Under `standard`, instead of `retransmitTimeoutUs`: IBTA's Local ACK Timeout n, 4.096 us x 2^n, 0 to 31; 0 = none (vol. 1,
   * 11.2). Not of `irn`, which has its own timeouts.
   */
  readonly timeout?: number;
  /**
   * Under `standard`: retries in a row without anything newly acknowledged, 0 to 7 (IBTA vol. 1, 9.9.2: retry counter), after which a flow
   * fails (`retry-exceeded`). Timeouts count, and NAKs but under `irn`. Default: any number.
   */
  readonly retryCount?: number;
  /** Under `standard`: what a loss is to congestion control. Default: `algorithm`, of flows of `irn` `none`. */
  readonly lossReaction?: LossReaction;
  /** Under `reference-lossy`: least time between two NAKs for the same packet. Default 4. */
  readonly nakIntervalUs?: number;
  /**
   * Under `reference-lossy`: `go-back-n` goes back to a multiple of this many bytes (L2_BACK_TO_ZERO, L2_CHUNK_SIZE). Default 0:
   * to the lost packet.
   */
  readonly backToZeroBytes?: number;
}

/**
 * What a loss is to congestion control: `algorithm`, what it makes of losses (Swift's and HPCC++'s rates fall); `none`, it is not notified; `cnp`, a
 * notification as by a CNP.
 */
export type LossReaction = 'algorithm' | 'none' | 'cnp';

/** Limits of IRN: R. Mittal et al., SIGCOMM 2018, and under `reference-lossy` its reading in ConWeave's simulator. */
export interface IrnSpec {
  /** Bytes in flight at most. Default: the largest product of round trip and least rate of all pairs of hosts. */
  readonly windowBytes?: number;
  /** Timeout with few packets in flight. Default 100. */
  readonly timeoutLowUs?: number;
  /** Timeout with more. Default 320. */
  readonly timeoutHighUs?: number;
  /** Under `standard`: at most this many packets are few. Default 3. */
  readonly fewPackets?: number;
}

/** Settings of single nodes instead of those of all. */
export interface OverrideSpec {
  /** Names of the nodes. */
  readonly nodes: readonly string[];
  /** What differs at switches. */
  readonly switch?: SwitchSpec;
  /** What differs at hosts. */
  readonly host?: HostOverrideSpec;
}

/** What hosts may differ in: CNPs and the reordering window as receivers, the others as senders. */
export type HostOverrideSpec = Pick<
  HostSpec,
  'cnpIntervalUs' | 'cnpDelayUs' | 'notificationPoint' | 'acceptFastCnp' | 'retransmitTimeoutUs' | 'mtuBytes'
    | 'onFastCnp' | 'transport' | 'timeout' | 'retryCount' | 'reorderingWindowPackets' | 'lossReaction'
>;

/** Something that goes wrong, on a link or at a host. */
export type FaultSpec = {
  /** A link is down for a while. */
  readonly kind: 'link-down';
  /** Names of the nodes at its ends. */
  readonly between: readonly [string, string];
  /** Begin, microseconds. */
  readonly fromUs: number;
  /** End, microseconds. */
  readonly toUs: number;
} | {
  /** Packets are lost on a link, in both directions. */
  readonly kind: 'loss';
  /** Names of the nodes at its ends. */
  readonly between: readonly [string, string];
  /** Share of packets lost, 0 to 1. */
  readonly share: number;
  /** Which packets. Default `all`. */
  readonly of?: 'all' | 'data' | 'acks' | 'cnps';
} | {
  /** Packets are damaged on a link: their ICRC is wrong where they arrive, and the host counts and drops them. */
  readonly kind: 'corruption';
  /** Names of the nodes at its ends. */
  readonly between: readonly [string, string];
  /** Share of packets damaged, 0 to 1. */
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
  /** Which one, from 1, of all switches. */
  readonly arrival: number;
} | PauseStormSpec | SlowReceiverSpec | BitErrorsSpec;

/** A fault of a link. */
export type LinkFaultSpec = Extract<FaultSpec, {
  /** Names of the nodes at its ends. */
  readonly between: unknown;
}>;

/** What is kept of a run. */
export interface RecordSpec {
  /** Interval of the series. Default: a 1,000th of what the ideal completion of all flows takes, at least 1. */
  readonly intervalUs?: number;
  /** Most samples of each series; beyond, every second one is dropped and the interval doubles. Default 2,000. */
  readonly maxSamples?: number;
  /**
   * Ports whose queue and utilisation are kept, as `node:peer`; `auto`: the 8 with the longest queues. Default `auto`.
   */
  readonly ports?: 'auto' | 'all' | readonly string[];
  /** Flows whose rate is kept. Default: the first 64. */
  readonly flows?: 'all' | number;
  /** Operations of each job whose times are kept, of each rank the first ones. Default 4,096. */
  readonly operations?: number;
  /**
   * `each`: a message of a job is a flow with its own result. `sums`: each job has the sums of its messages, and memory is needed for those that are
   * under way alone; with fidelity `standard`, jobs without other flows, plain go-back-N. Default `each`.
   */
  readonly messages?: 'each' | 'sums';
  /** Of `sums`: messages that can be under way at a time, 1 to 2^22. Default 65,536. */
  readonly messageRecords?: number;
  /** Ports of which a capture is made, as `node:peer`. */
  readonly capture?: readonly string[];
  /**
   * Under `standard`: are flows accounted that a pause holds although their own path is free? Default: where faults, watchdogs
   * or routes in a cycle make it likely.
   */
  readonly victims?: boolean;
  /** Whether the result says what was paused when (`pauses`). Default false. */
  readonly pauses?: boolean;
  /** Whether and when the lengths of all queues of switches are counted (`queueHistogram`). Default: they are not. */
  readonly queueHistogram?: QueueHistogramSpec;
}

/** When the lengths of all queues of switches are counted. */
export interface QueueHistogramSpec {
  /** First look, microseconds. */
  readonly fromUs: number;
  /** No look behind this, microseconds. */
  readonly toUs: number;
  /** From one look to the next, microseconds. Default 0.1, as the reference simulator's monitor. */
  readonly everyUs?: number;
}
