/**
 * A network in numbers, exactly as the kernel needs it. `compileScenario` makes it from a scenario; nothing is
 * defaulted here.
 *
 * Times are whole picoseconds, rates bits per second, lengths bytes. Nodes, ports, flows and parameter sets are identified
 * by index.
 */
import type { AlgorithmParameters } from '../config/algorithms/registry.js';
import type { BalancingPlan } from './features/balancing/plan.js';
import type { ChangePlan } from './features/changes/plan.js';
import type { ConnectionsPlan } from './features/connections/plan.js';
import type { FlowPlans } from './flow-plans.js';
import type { HazardPlan } from './features/hazards/plan.js';
import type { JobPlan } from './features/jobs/plan.js';
import type { LossyPlan } from './features/reference-lossy/plan.js';
import type { PointsPlan } from './features/points/plan.js';
import type { PoolPlan } from './features/pools/plan.js';
import type { ReceiverCreditPlan } from './features/receiver-credit/plan.js';
import type { RouteTable } from './route-table.js';
import type { SwitchFastCnpSpec } from './scenario/spec.js';
import type { KernelFidelity } from './scenario/setting-words.js';
import type { TransportsPlan } from './features/transports/plan.js';
import type { TrimmingPlan } from './features/trimming/plan.js';
import type { VerbsPlan } from './features/verbs/plan.js';
import type { WanPlan } from './features/wan/plan.js';

export type { FlowPlan } from './flow-plan.js';
export type { ChangePlan } from './features/changes/plan.js';
export type { ConnectionsPlan } from './features/connections/plan.js';
export type * from './features/transports/plan.js';
export type { TrimmingPlan } from './features/trimming/plan.js';
export type { BitErrorPlan, HazardPlan, ReceiverPlan, StormPlan, WatchdogPlan } from './features/hazards/plan.js';
export type { PointsPlan } from './features/points/plan.js';
export type { PoolPlan } from './features/pools/plan.js';
export type { ReceiverCreditPlan } from './features/receiver-credit/plan.js';
export type { JobPlan, MessagePlan } from './features/jobs/plan.js';
export type { VerbsPlan } from './features/verbs/plan.js';
export type * from './features/wan/plan.js';

/** A scenario as numbers, with no default left: what the kernel runs. Times in picoseconds. */
export interface NetworkPlan {
  /** The fidelity that decides where no field does. */
  readonly fidelity: KernelFidelity;
  /** 0 to 2^32 - 1. */
  readonly seed: number;
  /** The run ends here at the latest; events at this instant are not handled. */
  readonly endPs: number;
  /** Rules of the whole network. */
  readonly rules: Rules;
  /** Hosts and switches by index. */
  readonly nodes: readonly NodePlan[];
  /** The ports of a node are consecutive, in the order of their numbers. */
  readonly ports: readonly PortPlan[];
  /** The entry of `groups` that leads from each switch to each node. Plans made by hand: `RouteTable.of`. */
  readonly routes: RouteTable;
  /** Ports (global indices) in the order in which the hash indexes them. */
  readonly groups: readonly (readonly number[])[];
  /** At most 16. */
  readonly parameterSets: readonly AlgorithmParameters[];
  /** Flows by index. */
  readonly flows: FlowPlans;
  /** All flows are reserved: they are added while the run goes, at most this many of each host. Left out: all are there from the start. */
  readonly reservedPerHost?: number;
  /** Which of a host's flows sends next: round-robin, or the one that began first. Left out: `turns`. */
  readonly service?: 'turns' | 'first-come';
  /** Graphs of operations, whose messages are flows. Left out: none. */
  readonly jobs?: readonly JobPlan[];
  /**
   * All flows are messages of jobs, share this many records, and are counted in sums. Left out: each flow has a separate record.
   */
  readonly messageRecords?: number;
  /** Whether the run is over when all operations are done. Left out: when all flows are done too. */
  readonly endsWithJobs?: boolean;
  /** In order of time. */
  readonly linkEvents: readonly LinkEventPlan[];
  /** When adapters learn that links are down which stay down so long, in order of time. Left out: all at once. */
  readonly linkNotices?: readonly LinkNoticePlan[];
  /** Losses that begin or end while the run goes, in order of time, fidelity `standard`. Left out: none does. */
  readonly lossEvents?: readonly LossEventPlan[];
  /** Settings that change while the run goes, in order of time, fidelity `standard`. Left out: none does. */
  readonly changes?: readonly ChangePlan[];
  /** Fast CNPs of all switches that make them. */
  readonly fastCnp: FastCnpPlan;
  /** Maximum switches on a flow's path: the number of `exact` telemetry records that a packet can carry. Left out: 16. */
  readonly mostSwitches?: number;
  /** Features of fidelity `reference-lossy` beyond `reference`; left out under the others. */
  readonly lossy?: LossyPlan;
  /** QPs that carry several flows as messages, fidelity `standard`; left out: each flow has its own QP. */
  readonly connections?: ConnectionsPlan;
  /** How flows of `standard` recover from losses; left out: all by plain go-back-N. */
  readonly transports?: TransportsPlan;
  /** Packet trimming in switches, fidelity `standard`; left out: there is none. */
  readonly trimming?: TrimmingPlan;
  /** Load balancing and source-port changes under `standard`; left out: all by the hash. */
  readonly balancing?: BalancingPlan;
  /** Custom congestion points, fidelities `standard` and `reference`; left out: every switch has the built-in rule. */
  readonly points?: PointsPlan;
  /** Pools of lossy classes in switches, fidelity `standard`; left out: all classes share memory by port of arrival. */
  readonly pools?: PoolPlan;
  /** PFC's hazards, fidelity `standard`. Left out: they are not detected. */
  readonly hazards?: HazardPlan;
  /** Verbs of flows, fidelity `standard`. Left out: all are WRITEs. */
  readonly verbs?: VerbsPlan;
  /** Credit that receivers grant, fidelity `standard`. Left out: no algorithm reads it. */
  readonly receiverCredit?: ReceiverCreditPlan;
  /** Whether an agent outside sets rates and windows of QPs during the run, fidelity `standard`. Left out: none does. */
  readonly agents?: boolean;
  /** Tunnels of a WAN, fidelity `standard`. Left out: there is none. */
  readonly wan?: WanPlan;
}

/** Everything in which fidelities and settings of all nodes differ, each as a separate switch. */
export interface Rules {
  /** `exact`: serialisation in picoseconds, rounded up. `ns3`: whole nanoseconds as the reference simulator rounds. */
  readonly txTime: 'exact' | 'ns3';
  /** Payload of a full data packet. */
  readonly mtuBytes: number;
  /** Preamble, start delimiter and gap: they take time on the wire, but no buffer. */
  readonly wireOverheadBytes: number;
  /** Length of a pause frame, bytes. */
  readonly pauseFrameBytes: number;
  /** Length of a CNP, bytes. */
  readonly cnpBytes: number;
  /** Length of a Fast CNP, bytes. */
  readonly fastCnpBytes: number;
  /** `ack-flag`: an ACK repeats the packet's mark, which is the notification. `cnp`: CNP packets, coalesced. */
  readonly notification: 'ack-flag' | 'cnp';
  /** Least time between CNPs for one flow, picoseconds. */
  readonly cnpIntervalPs: number;
  /** Time that a receiver needs to make a CNP, picoseconds. */
  readonly cnpDelayPs: number;
  /** Traffic class (queue) of CNPs and Fast CNPs, 1 to 7. */
  readonly cnpClass: number;
  /**
   * Bit c: class c is served before those without a bit, higher classes first. Queue 0 (pause frames) always comes
   * first.
   */
  readonly strictClasses: number;
  /** Which queue decides on a mark: the one that a packet joins, or the one that it leaves. */
  readonly markAt: 'dequeue' | 'enqueue';
  /** `all`: any packet can be marked, ACKs too (reference). `ect`: data packets only. */
  readonly markable: 'all' | 'ect';
  /**
   * `none`; `int64`: the reference's wrapping records, at most 5; `exact`: in full, at most 16. Parameter sets that
   * read none carry none.
   */
  readonly telemetry: 'none' | 'int64' | 'exact';
  /** m, of `int64` records. */
  readonly intMultiplier: number;
  /** Least time between two NAKs for the same packet. */
  readonly nakIntervalPs: number;
  /** 0 = none. */
  readonly retransmitTimeoutPs: number;
  /** Pacing by the QP's rate (true), or by its port's (RATE_BOUND 0 of the reference). */
  readonly pacing: boolean;
  /** Resume once this much below the pause threshold. */
  readonly resumeOffsetBytes: number;
  /** Buffer of a port and class that is never shared. */
  readonly reservedBytes: number;
  /**
   * Bit c: of class c memory is reserved at each port, reserve and headroom; others have only the shared part. Left out: every
   * class may use the memory reserved once per port (reference).
   */
  readonly guaranteedClasses?: number;
  /** Class whose pause holds back all ACKs of a host; 0 = never held back. Left out: each ACK's own class. */
  readonly ackPauseClass?: number;
  /** Receivers acknowledge a flow's first bytes only at multiples of a chunk. Left out: each packet in order. */
  readonly silence?: AckSilence;
  /** T of HPCC-PINT's switches: the longest base round trip. Left out where no parameter set is `hpcc-pint`. */
  readonly pintRttPs?: number;
}

/** The part of a flow that is received with delayed ACKs. */
export interface AckSilence {
  /** ACKs are normal once this many bytes are received in order. */
  readonly upToBytes: number;
  /** Before that, ACKs are sent at multiples of this, above 0. */
  readonly chunkBytes: number;
}

/** A host or a switch; its ports are numbered consecutively. */
export interface NodePlan {
  /** Name in the scenario. */
  readonly name: string;
  /** Host or switch. */
  readonly kind: 'host' | 'switch';
  /** Index of its first port; the others follow. */
  readonly firstPort: number;
  /** Number of its ports. */
  readonly portCount: number;
  /** 0 for hosts. */
  readonly bufferBytes: number;
  /** Whether it pauses its neighbours. */
  readonly pfc: boolean;
  /** A switch: sends Fast CNPs when congested. A host: accepts them; switches mark the packets of those that don't. */
  readonly fastCnp: boolean;
  /** A host: delay from a marked packet's arrival to its CNP, if it differs from the rules. */
  readonly cnpDelayPs?: number;
  /** A host: least time between two CNPs for a flow that it receives, if it differs from the rules. */
  readonly cnpIntervalPs?: number;
  /** A host: false if it sends no CNPs for marks. */
  readonly notifies?: boolean;
  /** A host: timeout of the flows that it sends, 0 = none, if it differs from the rules. */
  readonly retransmitTimeoutPs?: number;
  /** A host: payload of a full data packet that it sends, if it differs from the rules. */
  readonly mtuBytes?: number;
  /** Of a switch: it is a host's adapter with a port into each plane. Left out: it is not. */
  readonly isAdapter?: true;
  /** Seed of the ECMP hash. */
  readonly hashSeed: number;
  /** IPv4 address as a number, an input of the ECMP hash. */
  readonly address: number;
}

/** One end of a link: packets that leave here arrive at `peerPort`. */
export interface PortPlan {
  /** Index of its node. */
  readonly node: number;
  /** Index of the port at the other end of the link. */
  readonly peerPort: number;
  /** Bits per second. */
  readonly rateBps: number;
  /** Propagation delay of the link, picoseconds. */
  readonly delayPs: number;
  /** Reserved per class at this port, for data that arrives after a pause. */
  readonly headroomBytes: number;
  /** The pause threshold is the free memory >> this. */
  readonly thresholdShift: number;
  /** Whether it marks packets. */
  readonly ecn: boolean;
  /** Queue from which packets are marked, bytes. */
  readonly kminBytes: number;
  /** Queue from which all are marked, bytes. */
  readonly kmaxBytes: number;
  /** Share of packets marked just below kmaxBytes, 0 to 1. */
  readonly pmax: number;
  /** Share of data packets lost on the link, 0 to 1. */
  readonly dataLoss: number;
  /** Share of ACKs lost on the link, 0 to 1. */
  readonly ackLoss: number;
  /** Share of CNPs lost on the link, 0 to 1. */
  readonly cnpLoss: number;
  /** Share of packets corrupted on the link, 0 to 1. */
  readonly corruption: number;
}

/** A link goes down or comes up. */
export interface LinkEventPlan {
  /** When, picoseconds. */
  readonly timePs: number;
  /** Either end. */
  readonly port: number;
  /** Whether the link comes up, or goes down. */
  readonly up: boolean;
}

/** Adapters learn that a link is down. */
export type LinkNoticePlan = Pick<LinkEventPlan, 'timePs' | 'port'>;

/** From now on, shares of what arrives from a port are lost. */
export interface LossEventPlan extends Pick<PortPlan, 'dataLoss' | 'ackLoss' | 'cnpLoss'> {
  /** When, picoseconds. */
  readonly timePs: number;
  /** One end of the link; the other one has an event too. */
  readonly port: number;
}

/** How switches send Fast CNPs and hosts receive them. */
export interface FastCnpPlan extends Required<Omit<SwitchFastCnpSpec, 'enabled'>> {
  /** Hosts accept them. */
  readonly accepted: boolean;
  /** A CNP and a Fast CNP for the same congestion count once within this. */
  readonly duplicateWindowPs: number;
}
