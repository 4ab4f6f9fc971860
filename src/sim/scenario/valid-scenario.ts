/** A validated scenario, with all defaults filled in and all names replaced by indices. */
import type { CustomAlgorithm } from '../../config/algorithms/custom/custom-algorithm.js';
import type { CustomCongestionPoint } from '../../config/custom-congestion-point.js';
import type { BalancingRule } from '../features/balancing/rules.js';
import type { JobPlan } from '../features/jobs/plan.js';
import type { LossyBalancing } from '../features/reference-lossy/plan.js';
import type { Network } from '../topology/network.js';
import type { KernelFidelity } from './setting-words.js';
import type { WorkloadFlows } from '../workload/workload-flows.js';
import type { AdaptiveSpec, AlgorithmSpec, BitFieldSpec, CongaSpec, CongestionPointSpec, ConWeaveSpec,
  DiscoveryRouterSpec, DiscoverySpec, DrillSpec, EcnRateSpec, EcnSpec, EntropyStatesSpec, FaultSpec, HostOverrideSpec,
  HostSpec, Fidelity, InferredLossState, IrnSpec, LossReaction, PoolSpec, QueueHistogramSpec, RepsSpec, ScenarioSpec,
  SwitchFastCnpSpec, TunnelSpec, UetAdaptiveSpec, UetOversubscribedSpec, UetSpec, WanFlowControlSpec, MrcSpec, MrcTimer,
  TolerantSpec, TrimmingSpec, UsidsSpec, WatchdogSpec } from './spec.js';

/** A validated and completed scenario. Only `validateScenario` creates it. */
export interface ValidScenario {
  /** The scenario as given. */
  readonly spec: ScenarioSpec;
  /** Name of the scenario. */
  readonly name: string;
  /** Description for readers. */
  readonly description: string;
  /** The rules that the network follows. */
  readonly fidelity: Fidelity;
  /** Seed of all random draws. */
  readonly seed: number;
  /** Latest end of the run, whole picoseconds. */
  readonly endPs: number;
  /** Whether the run ends when all jobs are done, even if other flows remain. */
  readonly endsWithJobs: boolean;
  /** Nodes and links. */
  readonly network: Network;
  /** All flows, by index. */
  readonly flows: WorkloadFlows;
  /** Jobs: graphs of operations, whose messages are among the flows. */
  readonly jobs: readonly JobPlan[];
  /** Algorithms in the order of the scenario; flows refer to them by index. */
  readonly algorithms: readonly ValidAlgorithm[];
  /** Settings of each switch, indexed by node; null for hosts. */
  readonly switches: readonly (ValidSwitch | null)[];
  /** Custom congestion point of each node; null: hosts, and switches with the built-in rule. */
  readonly points: readonly (ValidPoint | null)[];
  /** Fast CNPs of switches. */
  readonly fastCnp: ValidFastCnp;
  /** Settings of all hosts. */
  readonly hosts: ValidHost;
  /** Overridden settings of single hosts, indexed by node. */
  readonly hostOverrides: readonly (HostOverrideSpec | null)[];
  /** Whether packets are marked at dequeue or enqueue. */
  readonly markAt: 'dequeue' | 'enqueue';
  /** Classes with strict priority, in addition to the fidelity's own. */
  readonly strictClasses: readonly number[];
  /** Pauses and paths under `reference-lossy`. */
  readonly paths: ValidPaths;
  /** Load balancing under `standard`. */
  readonly balancing: ValidBalancing;
  /** Pools of all switches; `null`: all classes share memory, accounted by ingress port. */
  readonly pools: ValidPools | null;
  /** Packet trimming in all switches; `null`: none. */
  readonly trimming: ValidTrimming | null;
  /** Discovery before the flows start; `null`: none. */
  readonly discovery: ValidDiscovery | null;
  /** Tunnels of a WAN with provider edges; `null`: none. */
  readonly wan: ValidWan | null;
  /** Settings of fidelity `reference-uet`; `null`: another fidelity. */
  readonly uet: ValidUet | null;
  /** Faults of links and hosts. */
  readonly faults: readonly FaultSpec[];
  /** Settings that change during the run, in order of time. */
  readonly changes: readonly ValidChange[];
  /** What the run records. */
  readonly record: ValidRecord;
}

/** Settings of a uet-htsim network. `null`: the program's default. */
export type ValidUet = Required<
  Omit<UetSpec, (typeof UET_OF_PROGRAM)[number] | 'adaptive' | 'oversubscribed' | 'nicGbps'>
> & { readonly [Key in (typeof UET_OF_PROGRAM)[number]]: Required<UetSpec>[Key] | null } & {
  readonly adaptive: Required<UetAdaptiveSpec>;
  readonly oversubscribed: Required<Omit<UetOversubscribedSpec, 'enabled'>> & { readonly enabled: boolean | null };
  readonly nicMbps: number;
  /** The tree, in the terms of a topology file. */
  readonly tiers: readonly UetTier[];
  /** Number of hosts per pod; with two tiers, all hosts. */
  readonly podHosts: number;
};

/** Settings whose default the program computes from other settings. */
export const UET_OF_PROGRAM = ['windowPackets', 'targetDelayUs', 'queuePackets', 'queueBdps', 'ecn'] as const;

/** A tier of switches and the links below it. */
export interface UetTier {
  readonly rateGbps: number;
  readonly delayNs: number;
  readonly radixDown: number;
  /** Uplinks of each switch; 0: this is the top tier. */
  readonly radixUp: number;
  /** Ratio of the capacity below to the capacity above. */
  readonly oversubscribed: number;
}

/** A scenario whose network sim.wasm runs. */
export interface KernelScenario extends ValidScenario {
  readonly fidelity: KernelFidelity;
}

/** How a switch takes part in discovery. */
export type ValidDiscoveryRouter = Required<Omit<DiscoveryRouterSpec, 'nodes' | 'rocePriority'>> & {
  /** Priority that the switch maps data to; `null`: the class of the data. */
  readonly rocePriority: number | null;
};

/** Discovery with every default filled in. */
export interface ValidDiscovery {
  readonly form: Required<DiscoverySpec>['form'];
  readonly onMismatch: Required<DiscoverySpec>['onMismatch'];
  readonly timeoutPs: number;
  /** Settings by switch; switches that are not listed have defaults. */
  readonly routers: ReadonlyMap<number, ValidDiscoveryRouter>;
}

/** Tunnels, services, access lists and flow control, by the indices of nodes. */
export interface ValidWan {
  readonly tunnel: Required<Omit<TunnelSpec, 'ecn' | 'ecnOfEdges'>>;
  /** Provider edges that write Not-ECT into the outer header. */
  readonly compatibilityEdges: readonly number[];
  /** Services in the order in which they are matched; the last one matches every flow. */
  readonly services: readonly ValidService[];
  readonly accessLists: readonly ValidAccessList[];
  readonly flowControl: ValidWanFlowControl;
}

/** A tunnel and the flows that it carries; a condition of `null` matches any flow. */
export interface ValidService {
  readonly name: string;
  readonly hosts: readonly number[] | null;
  readonly trafficClasses: readonly number[] | null;
  readonly edges: readonly [number, number];
  readonly via: readonly number[];
}

/** The access list of a border: switches whose Fast CNPs pass. */
export interface ValidAccessList {
  readonly node: number;
  readonly direction: 'in' | 'out';
  readonly permit: readonly number[];
}

/** Flow control of the WAN. `null`: derived from marking thresholds. */
export type ValidWanFlowControl = Required<Omit<WanFlowControlSpec, 'xoffBytes' | 'xonBytes'>> & {
  readonly xoffBytes: number | null;
  readonly xonBytes: number | null;
};

export interface ValidAlgorithm extends AlgorithmSpec {
  readonly name: string;
  /** The custom algorithm, if it is not a built-in one. */
  readonly custom?: CustomAlgorithm;
  /** Custom algorithms that replace built-in ones. */
  readonly substitutes?: Readonly<Record<string, CustomAlgorithm>>;
}

/** Settings in effect from an instant on. */
export interface ValidChange {
  readonly timePs: number;
  /** The changed settings as given. */
  readonly set: Readonly<Record<string, number>>;
  /** Settings of each switch from then on, indexed by node; null for hosts. */
  readonly switches: readonly (ValidSwitch | null)[];
  /** Algorithms from then on, in the order of the scenario. */
  readonly algorithms: readonly ValidAlgorithm[];
}

/** A custom congestion point of a switch. */
export interface ValidPoint {
  readonly custom: CustomCongestionPoint;
  /** The parameters that the scenario sets. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Where the scenario names it. */
  readonly where: string;
  /** Whether the scenario names it; if not, it replaces the built-in rule for this run. */
  readonly isNamed: boolean;
}

/** Settings of one switch. `null`: derived from its links. */
export interface ValidSwitch {
  readonly bufferBytes: number | null;
  readonly headroomBytes: number | null;
  readonly pfc: boolean;
  readonly fastCnp: boolean;
  /** Its congestion point's entry in the scenario; `null`: none. */
  readonly congestionPoint: CongestionPointSpec | null;
  /** How it chooses among equal paths; not used under `reference-lossy`, where `paths` has the rule. */
  readonly balancingRule: BalancingRule;
  readonly ecn: Required<Omit<EcnSpec, 'markAt' | 'byRate'>> & {
    /** Thresholds by port rate, which replace the four settings above; `null`: those apply. */
    readonly byRate: readonly EcnRateSpec[] | null;
  };
  /** The PFC watchdog; `null`: none. */
  readonly watchdog: ValidWatchdog | null;
}

/** Times and action of a watchdog. */
export type ValidWatchdog = Required<Omit<WatchdogSpec, 'enabled'>>;

/** Packet trimming of all switches. `null`: derived from the network. */
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
  /** Flowlet gap; `null`: the default of the rule. */
  readonly flowletGapUs: number | null;
  readonly drill: Required<DrillSpec>;
  readonly conga: Required<CongaSpec>;
  /** Settings of `adaptive`. `thresholdsKB` `null`: derived from the longest base round trip. */
  readonly adaptive: Required<Omit<AdaptiveSpec, 'thresholdsKB'>> & { readonly thresholdsKB: readonly number[] | null };
  /** Source routes in outer headers; `null`: packets have none. */
  readonly usids: Required<Omit<UsidsSpec, 'enabled'>> | null;
  /** Bits of `entropy-bits`. `plane` `null`: all bits; `tiers` `null`: as many as each tier needs, from bit 0 on. */
  readonly entropyBits: { readonly plane: BitFieldSpec | null; readonly tiers: readonly BitFieldSpec[] | null };
}

/**
 * Settings of hosts. `timeout` is resolved into `retransmitTimeoutUs`. `null`: derived from the network or the transport; for
 * retries: unlimited.
 */
export interface ValidHost extends
  Required<
    Omit<
      HostSpec,
      'timeout' | 'reordering' | 'irn' | 'tolerant' | 'mrc' | 'reorderingWindowPackets' | 'retryCount' | 'lossReaction'
        | 'idleRestartUs' | 'entropies' | 'reps' | 'entropyStates'
    >
  > {
  /** Entropies per flow; `null`: the default of `pathSelection`. */
  readonly entropies: number | null;
  readonly reps: Required<RepsSpec>;
  /** Settings of `entropy-states`. `inferredLoss` `null`: depends on trimming; `probeIntervalUs` `null`: the timeout. */
  readonly entropyStates: Required<Omit<EntropyStatesSpec, 'inferredLoss' | 'probeIntervalUs'>> & {
    readonly inferredLoss: InferredLossState | null;
    readonly probeIntervalUs: number | null;
  };
  readonly irn: IrnSpec & Required<Omit<IrnSpec, 'windowBytes'>>;
  readonly tolerant: Required<TolerantSpec>;
  /**
   * Settings of `mrc`. `reorderUs` `null`: derived from the network and its trimming; `receiverRangePackets` `null`: the
   * senders' range; `timer` `null`: depends on `pathSelection`.
   */
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
  /** Sampling interval; `null`: derived from the flows. */
  readonly intervalUs: number | null;
  readonly maxSamples: number;
  readonly ports: 'auto' | 'all' | readonly string[];
  /** Number of flows, from the first, whose rate is recorded. */
  readonly flows: number;
  /** Whether each message has its own record and result (`each`), or its job only sums. */
  readonly messages: 'each' | 'sums';
  /** With `sums`: number of records that messages share. */
  readonly messageRecords: number;
  /** Number of operations of each job whose times are recorded. */
  readonly operations: number;
  readonly capture: readonly string[];
  readonly pauses: boolean;
  readonly queueHistogram: Required<QueueHistogramSpec> | null;
  /** Whether victims of pauses are recorded; `null`: if hazards make them likely. */
  readonly victims: boolean | null;
}
