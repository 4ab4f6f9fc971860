/** A scenario that has been checked, with every default filled in and every name turned into a number. */
import type { BalancingRule } from '../balancing-plan.js';
import type { JobPlan } from '../job-plan.js';
import type { LossyBalancing } from '../lossy-plan.js';
import type { Network } from '../topology/network.js';
import type { WorkloadFlows } from '../workload/workload-flows.js';
import type { AlgorithmSpec, CongaSpec, ConWeaveSpec, DiscoveryRouterSpec, DiscoverySpec, DrillSpec, EcnRateSpec,
  EcnSpec, FaultSpec, HostOverrideSpec, HostSpec, Fidelity, IrnSpec, LossReaction, PoolSpec, QueueHistogramSpec,
  ScenarioSpec, SwitchFastCnpSpec, TunnelSpec, WanFlowControlSpec, WatchdogSpec } from './spec.js';

/** Made by `validateScenario` alone. */
export interface ValidScenario {
  /** As it was given. */
  readonly spec: ScenarioSpec;
  /** Name of the scenario. */
  readonly name: string;
  /** For people. */
  readonly description: string;
  /** Which rules the network follows. */
  readonly fidelity: Fidelity;
  /** Seed of everything random. */
  readonly seed: number;
  /** When the run stops at the latest, whole picoseconds. */
  readonly endPs: number;
  /** Does the run end when all jobs are done, whatever other flows there are? */
  readonly endsWithJobs: boolean;
  /** Nodes and links. */
  readonly network: Network;
  /** In the order of their numbers. */
  readonly flows: WorkloadFlows;
  /** Graphs of operations; some of the flows are theirs. */
  readonly jobs: readonly JobPlan[];
  /** In the order of the scenario; flows name them by their place. */
  readonly algorithms: readonly ValidAlgorithm[];
  /** By node; null for hosts. */
  readonly switches: readonly (ValidSwitch | null)[];
  /** Fast CNPs of switches. */
  readonly fastCnp: ValidFastCnp;
  /** Settings of each host, by index. */
  readonly hosts: ValidHost;
  /** What single hosts differ in, by node. */
  readonly hostOverrides: readonly (HostOverrideSpec | null)[];
  /** Which queue decides on a mark. */
  readonly markAt: 'dequeue' | 'enqueue';
  /** Classes that ports send before the others, beside the fidelity's own. */
  readonly strictClasses: readonly number[];
  /** Pauses and paths under `reference-lossy`. */
  readonly paths: ValidPaths;
  /** Load balancing under `standard`. */
  readonly balancing: ValidBalancing;
  /** Pools of all switches; `null`: all classes share memory by port of arrival. */
  readonly pools: ValidPools | null;
  /** Probes before the flows start; `null`: there are none. */
  readonly discovery: ValidDiscovery | null;
  /** Tunnels of a WAN with provider edges; `null`: there is none. */
  readonly wan: ValidWan | null;
  /** What goes wrong on links. */
  readonly faults: readonly FaultSpec[];
  /** What is kept of the run. */
  readonly record: ValidRecord;
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
  /** By node; switches that are not in it take part as they should. */
  readonly routers: ReadonlyMap<number, ValidDiscoveryRouter>;
}

/** Tunnels, services, access lists and flow control, by the indices of nodes. */
export interface ValidWan {
  readonly tunnel: Required<Omit<TunnelSpec, 'ecn' | 'ecnOfEdges'>>;
  /** Provider edges that write Not-ECT outside. */
  readonly compatibilityEdges: readonly number[];
  /** In the order in which they are tried; the last one fits every flow. */
  readonly services: readonly ValidService[];
  readonly accessLists: readonly ValidAccessList[];
  readonly flowControl: ValidWanFlowControl;
}

/** A tunnel, and which flows it is for; `null`: any. */
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
}

/** Settings of one switch. `null`: as its links need it. */
export interface ValidSwitch {
  readonly bufferBytes: number | null;
  readonly headroomBytes: number | null;
  readonly pfc: boolean;
  readonly fastCnp: boolean;
  /** Which of several equal paths data takes; under `reference-lossy` `paths` says it. */
  readonly balancingRule: BalancingRule;
  readonly ecn: Required<Omit<EcnSpec, 'markAt' | 'byRate'>> & {
    /** Instead of the four above; `null`: those hold. */
    readonly byRate: readonly EcnRateSpec[] | null;
  };
  /** `null`: there is none. */
  readonly watchdog: ValidWatchdog | null;
}

/** Times of a watchdog, and what it does. */
export type ValidWatchdog = Required<Omit<WatchdogSpec, 'enabled'>>;

/** Pools of all switches. */
export type ValidPools = Required<PoolSpec>;

/** Of Fast CNPs, what all switches share. */
export type ValidFastCnp = Required<Omit<SwitchFastCnpSpec, 'enabled'>>;

/** Of pauses and paths under `reference-lossy`, what all switches share. */
export interface ValidPaths {
  readonly loadBalancing: LossyBalancing;
  readonly conWeave: Required<ConWeaveSpec>;
  readonly pauseTimeUs: number;
}

/** Of load balancing under `standard`, what all switches share. */
export interface ValidBalancing {
  /** `null`: as the rule has it. */
  readonly flowletGapUs: number | null;
  readonly drill: Required<DrillSpec>;
  readonly conga: Required<CongaSpec>;
}

/** `timeout` is settled as `retransmitTimeoutUs`. `null`: as the network or the transport needs it; of retries any number. */
export interface ValidHost
  extends Required<Omit<HostSpec, 'timeout' | 'irn' | 'reorderingWindowPackets' | 'retryCount' | 'lossReaction'>> {
  readonly irn: IrnSpec & Required<Omit<IrnSpec, 'windowBytes'>>;
  readonly reorderingWindowPackets: number | null;
  readonly retryCount: number | null;
  readonly lossReaction: LossReaction | null;
}

export interface ValidRecord {
  /** `null`: as the flows need it. */
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
