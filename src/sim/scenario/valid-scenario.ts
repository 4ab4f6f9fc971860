/** A checked scenario, with every default filled in and every name replaced by a number. */
import type { CustomAlgorithm } from '../../config/algorithms/custom/custom-algorithm.js';
import type { CustomCongestionPoint } from '../../config/congestion-points/custom-congestion-point.js';
import type { BalancingRule } from '../features/balancing/rules.js';
import type { JobPlan } from '../features/jobs/plan.js';
import type { LossyBalancing } from '../features/reference-lossy/plan.js';
import type { Network } from '../topology/network.js';
import type { KernelFidelity } from './setting-words.js';
import type { WorkloadFlows } from '../workload/workload-flows.js';
import type { AdaptiveSpec, AlgorithmSpec, CongaSpec, CongestionPointSpec, ConWeaveSpec, DiscoveryRouterSpec,
  DiscoverySpec, DrillSpec, EcnRateSpec, EcnSpec, EntropyStatesSpec, FaultSpec, HostOverrideSpec, HostSpec, Fidelity,
  InferredLossState, IrnSpec, LossReaction, PoolSpec, QueueHistogramSpec, RepsSpec, ScenarioSpec, SwitchFastCnpSpec,
  TunnelSpec, UetAdaptiveSpec, UetOversubscribedSpec, UetSpec, WanFlowControlSpec, MrcSpec, MrcTimer, TolerantSpec,
  TrimmingSpec, UsidsSpec, WatchdogSpec } from './spec.js';

/** Created only by `validateScenario`. */
export interface ValidScenario {
  /** The scenario as given. */
  readonly spec: ScenarioSpec;
  /** Name of the scenario. */
  readonly name: string;
  /** For readers. */
  readonly description: string;
  /** Which rules the network follows. */
  readonly fidelity: Fidelity;
  /** Seed of everything random. */
  readonly seed: number;
  /** When the run stops at the latest, whole picoseconds. */
  readonly endPs: number;
  /** Whether the run ends when all jobs are done, whatever other flows remain. */
  readonly endsWithJobs: boolean;
  /** Nodes and links. */
  readonly network: Network;
  /** In the order of their numbers. */
  readonly flows: WorkloadFlows;
  /** Graphs of operations; some of the flows are theirs. */
  readonly jobs: readonly JobPlan[];
  /** In the order of the scenario; flows refer to them by index. */
  readonly algorithms: readonly ValidAlgorithm[];
  /** By node; null for hosts. */
  readonly switches: readonly (ValidSwitch | null)[];
  /** By node: its custom congestion point; null: hosts, and switches with the built-in rule. */
  readonly points: readonly (ValidPoint | null)[];
  /** Fast CNPs of switches. */
  readonly fastCnp: ValidFastCnp;
  /** Settings of each host, by index. */
  readonly hosts: ValidHost;
  /** The differing settings of single hosts, by node. */
  readonly hostOverrides: readonly (HostOverrideSpec | null)[];
  /** Which queue decides on a mark. */
  readonly markAt: 'dequeue' | 'enqueue';
  /** Classes that ports send before the others, in addition to the fidelity's own. */
  readonly strictClasses: readonly number[];
  /** Pauses and paths under `reference-lossy`. */
  readonly paths: ValidPaths;
  /** Load balancing under `standard`. */
  readonly balancing: ValidBalancing;
  /** Pools of all switches; `null`: all classes share memory by port of arrival. */
  readonly pools: ValidPools | null;
  /** Packet trimming in all switches; `null`: there is none. */
  readonly trimming: ValidTrimming | null;
  /** Probes before the flows start; `null`: there are none. */
  readonly discovery: ValidDiscovery | null;
  /** Tunnels of a WAN with provider edges; `null`: there is none. */
  readonly wan: ValidWan | null;
  /** Of fidelity `reference-uet`; `null`: it is another one. */
  readonly uet: ValidUet | null;
  /** Faults of links and hosts. */
  readonly faults: readonly FaultSpec[];
  /** Settings that change while the run goes, in order of time. */
  readonly changes: readonly ValidChange[];
  /** What is recorded of the run. */
  readonly record: ValidRecord;
}

/** Settings of a network of uet-htsim. `null`: as the program has it. */
export type ValidUet = Required<
  Omit<UetSpec, (typeof UET_OF_PROGRAM)[number] | 'adaptive' | 'oversubscribed' | 'nicGbps'>
> & { readonly [Key in (typeof UET_OF_PROGRAM)[number]]: Required<UetSpec>[Key] | null } & {
  readonly adaptive: Required<UetAdaptiveSpec>;
  readonly oversubscribed: Required<Omit<UetOversubscribedSpec, 'enabled'>> & { readonly enabled: boolean | null };
  readonly nicMbps: number;
  /** Its tree, in the numbers of a topology file. */
  readonly tiers: readonly UetTier[];
  /** Hosts of a pod; of two tiers all of them. */
  readonly podHosts: number;
};

/** Settings whose default depends on others, and that the program computes. */
export const UET_OF_PROGRAM = ['windowPackets', 'targetDelayUs', 'queuePackets', 'queueBdps', 'ecn'] as const;

/** A tier of switches and the links below it. */
export interface UetTier {
  readonly rateGbps: number;
  readonly delayNs: number;
  readonly radixDown: number;
  /** 0: it is the top. */
  readonly radixUp: number;
  /** Capacity below over capacity above. */
  readonly oversubscribed: number;
}

/** A scenario whose network sim.wasm runs. */
export interface KernelScenario extends ValidScenario {
  readonly fidelity: KernelFidelity;
}

/** How a switch takes part in discovery. */
export type ValidDiscoveryRouter = Required<Omit<DiscoveryRouterSpec, 'nodes' | 'rocePriority'>> & {
  /** `null`: the class of the data. */
  readonly rocePriority: number | null;
};

/** Discovery with every default filled in. */
export interface ValidDiscovery {
  readonly form: Required<DiscoverySpec>['form'];
  readonly onMismatch: Required<DiscoverySpec>['onMismatch'];
  readonly timeoutPs: number;
  /** By node; switches that are not listed take part as intended. */
  readonly routers: ReadonlyMap<number, ValidDiscoveryRouter>;
}

/** Tunnels, services, access lists and flow control, by the indices of nodes. */
export interface ValidWan {
  readonly tunnel: Required<Omit<TunnelSpec, 'ecn' | 'ecnOfEdges'>>;
  /** Provider edges that write Not-ECT into the outer header. */
  readonly compatibilityEdges: readonly number[];
  /** In the order in which they are tried; the last one matches every flow. */
  readonly services: readonly ValidService[];
  readonly accessLists: readonly ValidAccessList[];
  readonly flowControl: ValidWanFlowControl;
}

/** A tunnel and the flows that it carries; `null`: any. */
export interface ValidService {
  readonly name: string;
  readonly hosts: readonly number[] | null;
  readonly trafficClasses: readonly number[] | null;
  readonly edges: readonly [number, number];
  readonly via: readonly number[];
}

/** Of one border: switches whose Fast CNPs pass. */
export interface ValidAccessList {
  readonly node: number;
  readonly direction: 'in' | 'out';
  readonly permit: readonly number[];
}

/** `null`: as ports mark. */
export type ValidWanFlowControl = Required<Omit<WanFlowControlSpec, 'xoffBytes' | 'xonBytes'>> & {
  readonly xoffBytes: number | null;
  readonly xonBytes: number | null;
};

export interface ValidAlgorithm extends AlgorithmSpec {
  readonly name: string;
  /** The custom algorithm that it is of. */
  readonly custom?: CustomAlgorithm;
  /** Custom algorithms in the place of built-in ones. */
  readonly substitutes?: Readonly<Record<string, CustomAlgorithm>>;
}

/** Settings from an instant on. */
export interface ValidChange {
  readonly timePs: number;
  /** As given. */
  readonly set: Readonly<Record<string, number>>;
  /** Of each switch from then on, by node; null for hosts. */
  readonly switches: readonly (ValidSwitch | null)[];
  /** From then on, in the order of the scenario. */
  readonly algorithms: readonly ValidAlgorithm[];
}

/** A custom congestion point of a switch. */
export interface ValidPoint {
  readonly custom: CustomCongestionPoint;
  /** Those that the scenario gives. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Where it is named. */
  readonly where: string;
  /** Whether the scenario names it; else it replaces the built-in rule for this run. */
  readonly isNamed: boolean;
}

/** Settings of one switch. `null`: as its links require. */
export interface ValidSwitch {
  readonly bufferBytes: number | null;
  readonly headroomBytes: number | null;
  readonly pfc: boolean;
  readonly fastCnp: boolean;
  /** Its entry in the scenario; `null`: there is none. */
  readonly congestionPoint: CongestionPointSpec | null;
  /** Which of several equal paths data takes; under `reference-lossy` `paths` has it. */
  readonly balancingRule: BalancingRule;
  readonly ecn: Required<Omit<EcnSpec, 'markAt' | 'byRate'>> & {
    /** Instead of the four above; `null`: those apply. */
    readonly byRate: readonly EcnRateSpec[] | null;
  };
  /** `null`: there is none. */
  readonly watchdog: ValidWatchdog | null;
}

/** Times and action of a watchdog. */
export type ValidWatchdog = Required<Omit<WatchdogSpec, 'enabled'>>;

/** Packet trimming of all switches. `null`: as the network requires. */
export interface ValidTrimming extends Required<Pick<TrimmingSpec, 'sizeBytes' | 'trafficClass'>> {
  readonly dataClasses: readonly number[] | null;
  readonly queueBytes: number | null;
  readonly lastHopQueueBytes: number | null;
  readonly trimmedQueueBytes: number | null;
}

/** Pools of all switches. */
export type ValidPools = Required<PoolSpec>;

/** Settings of Fast CNPs shared by all switches. */
export type ValidFastCnp = Required<Omit<SwitchFastCnpSpec, 'enabled'>>;

/** Settings of pauses and paths shared by all switches under `reference-lossy`. */
export interface ValidPaths {
  readonly loadBalancing: LossyBalancing;
  readonly conWeave: Required<ConWeaveSpec>;
  readonly pauseTimeUs: number;
}

/** Load-balancing settings shared by all switches under `standard`. */
export interface ValidBalancing {
  /** `null`: the default of the rule. */
  readonly flowletGapUs: number | null;
  readonly drill: Required<DrillSpec>;
  readonly conga: Required<CongaSpec>;
  /** `thresholdsKB` `null`: as the longest base round trip has it. */
  readonly adaptive: Required<Omit<AdaptiveSpec, 'thresholdsKB'>> & { readonly thresholdsKB: readonly number[] | null };
  /** `null`: packets have no outer header. */
  readonly usids: Required<Omit<UsidsSpec, 'enabled'>> | null;
}

/** `timeout` is resolved into `retransmitTimeoutUs`. `null`: as the network or the transport requires; for retries unlimited. */
export interface ValidHost extends
  Required<
    Omit<
      HostSpec,
      'timeout' | 'reordering' | 'irn' | 'tolerant' | 'mrc' | 'reorderingWindowPackets' | 'retryCount' | 'lossReaction'
        | 'idleRestartUs' | 'entropies' | 'reps' | 'entropyStates'
    >
  > {
  /** `null`: as `pathSelection` has it. */
  readonly entropies: number | null;
  readonly reps: Required<RepsSpec>;
  /** `inferredLoss` `null`: as trimming has it; `probeIntervalUs` `null`: the timeout. */
  readonly entropyStates: Required<Omit<EntropyStatesSpec, 'inferredLoss' | 'probeIntervalUs'>> & {
    readonly inferredLoss: InferredLossState | null;
    readonly probeIntervalUs: number | null;
  };
  readonly irn: IrnSpec & Required<Omit<IrnSpec, 'windowBytes'>>;
  readonly tolerant: Required<TolerantSpec>;
  /** `reorderUs` `null`: as the network and its trimming have it; `receiverRangePackets` `null`: as senders have it; `timer` `null`: as `pathSelection` has it. */
  readonly mrc: Required<Omit<MrcSpec, 'reorderUs' | 'receiverRangePackets' | 'timer'>> & {
    readonly reorderUs: number | null;
    readonly receiverRangePackets: number | null;
    readonly timer: MrcTimer | null;
  };
  readonly reorderingWindowPackets: number | null;
  readonly retryCount: number | null;
  readonly lossReaction: LossReaction | null;
  readonly idleRestartUs: number | null;
}

export interface ValidRecord {
  /** `null`: as the flows require. */
  readonly intervalUs: number | null;
  readonly maxSamples: number;
  readonly ports: 'auto' | 'all' | readonly string[];
  /** Flows whose rate is kept, from the first. */
  readonly flows: number;
  /** Whether each message has its own record and result, or its job the sums. */
  readonly messages: 'each' | 'sums';
  /** Of `sums`: records that messages share. */
  readonly messageRecords: number;
  /** Operations of each job whose times are kept. */
  readonly operations: number;
  readonly capture: readonly string[];
  readonly pauses: boolean;
  readonly queueHistogram: Required<QueueHistogramSpec> | null;
  /** `null`: where hazards make it likely. */
  readonly victims: boolean | null;
}
