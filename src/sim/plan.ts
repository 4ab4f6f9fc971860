/**
 * A network in the form that the kernel reads. `compileScenario` makes it from a scenario; there are no defaults here.
 *
 * Times are whole picoseconds, rates bits per second, lengths bytes. Nodes, ports, flows and parameter sets are
 * identified by index. Parts of larger features have their own file, such as features/transports/plan.ts.
 */
import type { PointOfSwitches } from '../algorithm/congestion-point/bind-points.js';
import type { AlgorithmParameters } from '../config/algorithms/registry.js';
import type { MarkingThresholds } from '../switching/congestion-judge.js';
import type { BalancingPlan } from './features/balancing/plan.js';
import type { JobPlan } from './features/jobs/plan.js';
import type { LossyPlan } from './features/reference-lossy/plan.js';
import type { TransportsPlan } from './features/transports/plan.js';
import type { WanPlan } from './features/wan/plan.js';
import type { FlowPlans } from './flow-plans.js';
import type { RouteTable } from './route-table.js';
import type { KernelFidelity } from './scenario/setting-words.js';
import type { SwitchFastCnpSpec } from './scenario/spec.js';

export type { FlowPlan } from './flow-plans.js';
export type { IrnLimits, MrcPlan, PortStatusPair, PortStatusPlan, TolerantLosses, TransportDrop, TransportKind,
  TransportsPlan } from './features/transports/plan.js';
export type { JobPlan, MessagePlan } from './features/jobs/plan.js';
export type * from './features/wan/plan.js';

/** A network with flows and rules, complete and in numbers, as the kernel runs it. Times in picoseconds. */
export interface NetworkPlan {
  /** The fidelity, which determines behaviour that no field covers. */
  readonly fidelity: KernelFidelity;
  /** Random seed, 0 to 2^32 - 1. */
  readonly seed: number;
  /** Latest end of the run; events at this instant are not handled. */
  readonly endPs: number;
  /** Rules of the whole network. */
  readonly rules: Rules;
  /** Hosts and switches by index. */
  readonly nodes: readonly NodePlan[];
  /** Ports by index; those of a node are consecutive. */
  readonly ports: readonly PortPlan[];
  /** Index into `groups` from each switch to each node. For hand-written plans: `RouteTable.of`. */
  readonly routes: RouteTable;
  /** Groups of next hops: egress ports, in the order in which the hash indexes them. */
  readonly groups: readonly (readonly number[])[];
  /** Parameter sets, at most 16. */
  readonly parameterSets: readonly AlgorithmParameters[];
  /** Flows by index. */
  readonly flows: FlowPlans;
  /**
   * All flows are placeholders for flows added during the run, at most this many per sending host. Omitted: all flows are known
   * at the start.
   */
  readonly reservedPerHost?: number;
  /** Which of a host's flows sends next: round-robin, or the one that began first. Omitted: round-robin. */
  readonly service?: 'round-robin' | 'first-come';
  /** Graphs of operations, whose messages are flows. Omitted: none. */
  readonly jobs?: readonly JobPlan[];
  /**
   * All flows are messages of jobs, share this many records, and have only sums as results. Omitted: each flow has its own
   * record.
   */
  readonly messageRecords?: number;
  /** Whether the run ends when all operations are done. Omitted: it ends when all flows are done, too. */
  readonly endsWithJobs?: boolean;
  /** Links that go down or come up, in order of time. */
  readonly linkEvents: readonly LinkEventPlan[];
  /** When adapters learn that links have gone down or come up, of those that stay so as long as this takes, in order of time. Left out: all at once. */
  readonly linkNotices?: readonly LinkNoticePlan[];
  /** Losses that begin or end during the run, in order of time, fidelity `standard`. Omitted: none. */
  readonly lossEvents?: readonly LossEventPlan[];
  /** Settings that change during the run, in order of time, fidelity `standard`. Omitted: none. */
  readonly changes?: readonly ChangePlan[];
  /** Settings of Fast CNPs. */
  readonly fastCnp: FastCnpPlan;
  /** Maximum switches on a flow's path, which is the number of `exact` telemetry records that a packet can carry. Omitted: 16. */
  readonly mostSwitches?: number;
  /** Features that `reference-lossy` adds to `reference`; omitted under other fidelities. */
  readonly lossy?: LossyPlan;
  /** QPs that carry several flows as messages, fidelity `standard`. Omitted: each flow has its own QP. */
  readonly connections?: ConnectionsPlan;
  /** Loss recovery of flows, fidelity `standard`. Omitted: all use plain go-back-N. */
  readonly transports?: TransportsPlan;
  /** Packet trimming in switches, fidelity `standard`. Omitted: none. */
  readonly trimming?: TrimmingPlan;
  /** Load balancing and source-port changes, fidelity `standard`. Omitted: all switches hash. */
  readonly balancing?: BalancingPlan;
  /** Custom congestion points, fidelities `standard` and `reference`. Omitted: all switches have the built-in rule. */
  readonly points?: PointsPlan;
  /** Pools of lossy classes in switches, fidelity `standard`. Omitted: all classes share memory, accounted by ingress port. */
  readonly pools?: PoolPlan;
  /** PFC hazards, fidelity `standard`. Omitted: none, and none are detected. */
  readonly hazards?: HazardPlan;
  /** Verbs of flows, fidelity `standard`. Omitted: all are WRITEs. */
  readonly verbs?: VerbsPlan;
  /** Credit that receivers grant, fidelity `standard`. Omitted: no algorithm reads it. */
  readonly receiverCredit?: ReceiverCreditPlan;
  /** Whether an external agent sets rates and windows of QPs during the run, fidelity `standard`. Omitted: no. */
  readonly agents?: boolean;
  /** Tunnels of a WAN, fidelity `standard`. Omitted: none. */
  readonly wan?: WanPlan;
}

/** The rules of the network: everything that depends on fidelity or on settings of all nodes. */
export interface Rules {
  /** Serialisation times. `exact`: picoseconds, rounded up. `ns3`: whole nanoseconds, rounded as in the reference simulator. */
  readonly txTime: 'exact' | 'ns3';
  /** Payload of a full data packet. */
  readonly mtuBytes: number;
  /** Preamble, start delimiter and gap, which take time on the wire but no buffer. */
  readonly wireOverheadBytes: number;
  /** Length of a pause frame, bytes. */
  readonly pauseFrameBytes: number;
  /** Length of a CNP, bytes. */
  readonly cnpBytes: number;
  /** Length of a Fast CNP, bytes. */
  readonly fastCnpBytes: number;
  /** How receivers notify senders. `ack-flag`: ACKs echo marks. `cnp`: coalesced CNP packets. */
  readonly notification: 'ack-flag' | 'cnp';
  /** Minimum time between CNPs for one flow, picoseconds. */
  readonly cnpIntervalPs: number;
  /** Time that a receiver takes to generate a CNP, picoseconds. */
  readonly cnpDelayPs: number;
  /** Traffic class (queue) of CNPs and Fast CNPs, 1 to 7. */
  readonly cnpClass: number;
  /**
   * Bit c: class c has strict priority over classes without a bit; higher classes come first. Queue 0 (pause frames) always
   * comes first.
   */
  readonly strictClasses: number;
  /** Whether a packet is marked by the queue length when it leaves (`dequeue`) or when it arrives (`enqueue`). */
  readonly markAt: 'dequeue' | 'enqueue';
  /** Which packets can be marked. `all`: any, including ACKs (reference). `ect`: only data packets. */
  readonly markable: 'all' | 'ect';
  /**
   * Telemetry records in packets. `none`; `int64`: the reference's wrapping records, at most 5; `exact`: full records, at most
   * 16. Flows whose parameter set reads none carry none.
   */
  readonly telemetry: 'none' | 'int64' | 'exact';
  /** Multiplier m of `int64` records. */
  readonly intMultiplier: number;
  /** Minimum time between two NAKs for the same packet, picoseconds. */
  readonly nakIntervalPs: number;
  /** Retransmission timeout, picoseconds; 0 = none. */
  readonly retransmitTimeoutPs: number;
  /** Whether packets are paced at the QP's rate (true), or at its port's (RATE_BOUND 0 of the reference). */
  readonly pacing: boolean;
  /** A paused class resumes when memory is this far below the pause threshold. */
  readonly resumeOffsetBytes: number;
  /** Buffer reserved for each port and class. */
  readonly reservedBytes: number;
  /**
   * Bit c: class c has its own reserve and headroom at each port; other classes have only shared memory. Omitted: all classes
   * may use the memory that is reserved once per port (reference).
   */
  readonly guaranteedClasses?: number;
  /** Class whose pause stops all ACKs of a host; 0 = never. Omitted: each ACK's own class. */
  readonly ackPauseClass?: number;
  /**
   * Delayed ACKs: a flow's first bytes are acknowledged only at multiples of a chunk. Omitted: each packet in order is
   * acknowledged.
   */
  readonly delayedAck?: DelayedAck;
  /** T of HPCC-PINT's switches: the longest base round trip. Omitted if no parameter set is `hpcc-pint`. */
  readonly pintRttPs?: number;
}

/** Delayed ACKs at the beginning of a flow. */
export interface DelayedAck {
  /** Once this many bytes are received in order, each packet is acknowledged. */
  readonly upToBytes: number;
  /** Until then, ACKs are sent at multiples of this many bytes, above 0. */
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
  /** Shared packet memory of a switch; 0 for hosts. */
  readonly bufferBytes: number;
  /** Whether it pauses its neighbours. */
  readonly pfc: boolean;
  /**
   * A switch: whether it sends Fast CNPs when congested. A host: whether it accepts them; if not, switches mark its packets
   * instead.
   */
  readonly fastCnp: boolean;
  /** A host: delay from a marked packet's arrival to its CNP, if it differs from the rules. */
  readonly cnpDelayPs?: number;
  /** A host: minimum time between two CNPs for a flow that it receives, if it differs from the rules. */
  readonly cnpIntervalPs?: number;
  /** A host: false if it sends no CNPs for marks. */
  readonly notifies?: boolean;
  /** A host: timeout of the flows that it sends, 0 = none, if it differs from the rules. */
  readonly retransmitTimeoutPs?: number;
  /** A host: payload of a full data packet that it sends, if it differs from the rules. */
  readonly mtuBytes?: number;
  /** Present if the switch is a host's adapter with a port into each plane. */
  readonly isAdapter?: true;
  /** Seed of the ECMP hash. */
  readonly hashSeed: number;
  /** IPv4 address as a number, an input of the ECMP hash. */
  readonly address: number;
}

/** One end of a link; packets that leave here arrive at `peerPort`. */
export interface PortPlan {
  /** Index of its node. */
  readonly node: number;
  /** Index of the port at the other end of the link. */
  readonly peerPort: number;
  /** Rate, bits per second. */
  readonly rateBps: number;
  /** Propagation delay of the link, picoseconds. */
  readonly delayPs: number;
  /** Headroom per class at this port, for data that arrives after a pause. */
  readonly headroomBytes: number;
  /** The pause threshold is the free memory shifted right by this many bits. */
  readonly thresholdShift: number;
  /** Whether it marks packets. */
  readonly ecn: boolean;
  /** Queue length from which packets are marked, bytes. */
  readonly kminBytes: number;
  /** Queue length from which all packets are marked, bytes. */
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
  /** Time of the event, picoseconds. */
  readonly timePs: number;
  /** Port at either end of the link. */
  readonly port: number;
  /** Whether the link comes up (true) or goes down. */
  readonly up: boolean;
}

/** Adapters learn that a link has gone down or come up. */
export type LinkNoticePlan = Pick<LinkEventPlan, 'timePs' | 'port'>;

/** From then on, these shares of the packets from a port are lost. */
export interface LossEventPlan extends Pick<PortPlan, 'dataLoss' | 'ackLoss' | 'cnpLoss'> {
  /** Time of the event, picoseconds. */
  readonly timePs: number;
  /** Port at one end of the link; the other end has its own event. */
  readonly port: number;
}

/** How switches send Fast CNPs and hosts receive them. */
export interface FastCnpPlan extends Required<Omit<SwitchFastCnpSpec, 'enabled'>> {
  /** Whether any host accepts Fast CNPs. */
  readonly accepted: boolean;
  /** A CNP and a Fast CNP for the same congestion count once within this time, picoseconds. */
  readonly duplicateWindowPs: number;
}

/** The settings in effect from an instant on. Earlier events are handled under the previous settings. */
export interface ChangePlan {
  /** Time of the change, whole picoseconds; later than the previous one. */
  readonly timePs: number;
  /** Thresholds of all ports; omitted: unchanged. */
  readonly marking?: readonly MarkingThresholds[];
  /** Packets that receivers of MRC accept; omitted: unchanged. */
  readonly receiverRangePackets?: number;
  /** Penalty of the window that receivers of MRC demand; omitted: unchanged. */
  readonly windowPenalty?: number;
  /** All parameter sets, of the same algorithms as before; omitted: unchanged. */
  readonly parameterSets?: readonly AlgorithmParameters[];
}

/** Which flows are messages of one QP. They share hosts, ports, classes, parameter set and transport. */
export interface ConnectionsPlan {
  /** Index of the first flow of each flow's QP; -1: the flow has its own QP. */
  readonly leaderOf: Int32Array;
  /** Time without bytes in flight after which a QP restarts at line rate, picoseconds; `Infinity`: never. */
  readonly idleRestartPs: number;
}

/** Packet trimming of all switches. Queue limits include headers. */
export interface TrimmingPlan {
  /** Length of a trimmed packet. */
  readonly lenBytes: number;
  /** Class of trimmed packets. */
  readonly trafficClass: number;
  /** Bit c: data of class c is trimmed. */
  readonly dataClasses: number;
  /** Limit of a data class's queue at ports that lead to switches. */
  readonly queueBytes: number;
  /** Limit of a data class's queue at ports that lead to hosts. */
  readonly lastHopQueueBytes: number;
  /** Limit of the queue that trimmed packets join. */
  readonly trimmedQueueBytes: number;
}

/** Custom congestion points of a network. */
export interface PointsPlan {
  /** Each with its parameters and switches. */
  readonly points: readonly PointOfSwitches[];
  /** Index of each node's entry in `points`; -1: the built-in rule. */
  readonly ofNode: Int32Array;
}

/** The pool of lossy classes, shared by their egress queues. */
export interface PoolPlan {
  /** Bit c: class c is lossy and in use. */
  readonly lossyClasses: number;
  /** Dynamic threshold: beyond its reserve, a queue may take alpha times the free part of the pool. */
  readonly alpha: number;
  /** Bytes reserved for each port and lossy class. */
  readonly reservedBytes: number;
  /** Size of each switch's pool, reserves included. The rest of the switch's memory belongs to lossless classes. */
  readonly lossyBytes: number;
}

/** The hazards of a plan; omitted if there are none. */
export interface HazardPlan {
  /** Time from a pause's start to its first inspection for victims and deadlocks, picoseconds; 0: pauses are not inspected. */
  readonly checkIntervalPs: number;
  /** With a deadlock and no watchdog, the run ends if nothing is delivered for this long, picoseconds; 0: it continues. */
  readonly quietPs: number;
  /** Hosts that pause their switches. */
  readonly storms: readonly StormPlan[];
  /** Hosts that receive more slowly than their link. */
  readonly receivers: readonly ReceiverPlan[];
  /** Ports whose links have bit errors. */
  readonly bitErrors: readonly BitErrorPlan[];
  /** Switches with a watchdog. */
  readonly watchdogs: readonly WatchdogPlan[];
}

/** A port of a host that pauses. */
export interface StormPlan {
  /** Index of the port. */
  readonly port: number;
  /** Bit c: class c is paused. */
  readonly classes: number;
  /** Begin, picoseconds. */
  readonly fromPs: number;
  /** End, picoseconds; null: never. */
  readonly untilPs: number | null;
  /** Time between two frames, picoseconds. */
  readonly everyPs: number;
}

/** The receive path of a host's port. */
export interface ReceiverPlan {
  /** Index of the port. */
  readonly port: number;
  /** Rate at which the receive buffer drains, bits per second. */
  readonly rateBps: number;
  /** Size of the receive buffer, bytes. */
  readonly bufferBytes: number;
  /** Buffered bytes from which the switch is paused. */
  readonly xoffBytes: number;
  /** Buffered bytes at which the switch may resume. */
  readonly xonBytes: number;
  /** Whether it pauses the switch. */
  readonly pfc: boolean;
}

/** Frames that leave a port are corrupted at random. */
export interface BitErrorPlan {
  /** Index of the port. */
  readonly port: number;
  /** Probability that a bit is wrong, 0 to 1. */
  readonly perBit: number;
  /** Probability that a frame is corrupted, in addition to its bit errors, 0 to 1. */
  readonly perFrame: number;
}

/** The PFC watchdog of a switch. */
export interface WatchdogPlan {
  /** Index of the switch. */
  readonly node: number;
  /** How long a queue with packets must be paused before it counts as stormed, picoseconds. */
  readonly detectionPs: number;
  /** How long the queue must be free of pauses before it counts as restored, picoseconds. */
  readonly restorationPs: number;
  /** Polling interval, picoseconds. */
  readonly pollPs: number;
  /** Whether packets of a stormed queue are dropped, or sent despite the pause. */
  readonly action: 'drop' | 'forward';
}

/** The verbs of flows, and how receivers that are not ready are handled. */
export interface VerbsPlan {
  /** VERB_* of each flow. */
  readonly of: Uint8Array;
  /** Time from which each flow's receiver has posted a receive, picoseconds; 0: from the start. */
  readonly readyPs: Float64Array;
  /** IBTA's timer code that each node sends in RNR NAKs. */
  readonly rnrTimerCode: readonly number[];
  /** The wait that this code means, indexed by node, picoseconds. */
  readonly rnrTimerPs: readonly number[];
  /** Number of waits after RNR NAKs before a flow from each node fails; null: unlimited. */
  readonly rnrRetryCount: readonly (number | null)[];
  /** Length of a READ request. */
  readonly readRequestBytes: number;
}

/** Receiver credit of all flows whose algorithm reads it. */
export interface ReceiverCreditPlan {
  /** Length of a credit packet. */
  readonly packetBytes: number;
}
