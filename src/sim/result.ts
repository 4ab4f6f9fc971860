/**
 * The result of a run: plain data, the same bytes for the same scenario and seed. JSON, CSV, captures and traces are made
 * from it.
 */
import type { DiscoveryResult } from './discovery-result.js';
import type { Fidelity, ScenarioSpec } from './scenario/spec.js';
import type { QpResult } from './qp-result.js';
import type { WanResult } from './wan-result.js';

export type * from './packet-record.js';

export type * from './qp-result.js';

export type * from './wan-result.js';

export type * from './discovery-result.js';

/** Reported while a run continues. */
export interface Progress {
  /** Simulated time, picoseconds. */
  readonly nowPs: number;
  /** Flows that are done. */
  readonly flowsDone: number;
  /** All flows. */
  readonly flowsTotal: number;
  /** Payload received in order so far, bytes. */
  readonly bytesDelivered: number;
  /** Payload of all flows, bytes. */
  readonly bytesTotal: number;
  /** Transmissions by any port so far. */
  readonly packetHops: number;
  /** Events handled so far. */
  readonly events: number;
}

/** The result of a run, as plain data. Times in picoseconds, rates in bits per second, sizes in bytes. */
export interface SimResult {
  /** Format of the JSON text. */
  readonly format: 'roce-cc-result-2';
  /** The scenario as given. */
  readonly scenario: ScenarioSpec;
  /** Fidelity of the run. */
  readonly fidelity: Fidelity;
  /** Seed of everything random. */
  readonly seed: number;
  /** Why the run ended. */
  readonly ended: 'all-flows-done' | 'jobs-done' | 'time' | 'stuck' | 'deadlock' | 'cancelled';
  /** Simulated time at the end of the run, picoseconds. */
  readonly simulatedPs: number;
  /** Events handled. */
  readonly events: number;
  /** Transmissions by any port. */
  readonly packetHops: number;
  /** Of all results below, 16 hex digits. */
  readonly hash: string;
  /** Counters of the whole network. */
  readonly totals: Totals;
  /** Flows by index. */
  readonly flows: readonly FlowResult[];
  /** QPs that carry several flows as messages, in the order of their first flows. Absent: there is none. */
  readonly qps?: readonly QpResult[];
  /** Ports by index. */
  readonly ports: readonly PortResult[];
  /** What probes found before the flows started. Absent: the scenario has no discovery. */
  readonly discovery?: DiscoveryResult;
  /** Deadlocks, at most the first 8. Absent: there was none, or they were not detected. */
  readonly deadlocks?: readonly DeadlockResult[];
  /** Tunnels, borders and ARNs. Absent: the network has no WAN with provider edges. */
  readonly wan?: WanResult;
  /** How switches used their equal paths. Absent: the scenario sets neither load balancing nor path selection. */
  readonly equalPaths?: readonly EqualPathsResult[];
  /** Jobs in the order of the scenario. Absent: there are none. */
  readonly jobs?: readonly JobResult[];
  /** What was recorded over time. */
  readonly series: SeriesResult;
  /** The run in a few numbers. */
  readonly summary: Summary;
  /** All pauses and their times, in order of time. Absent: without `record.pauses`. */
  readonly pauses?: readonly PauseInterval[];
  /** Histogram of the lengths of switch queues. Absent: without `record.queueHistogram`. */
  readonly queueHistogram?: QueueHistogramResult;
  /** Settings without effect here, and other facts that a reader should know. */
  readonly notes: readonly string[];
}

/** Conservation: in = out + in flight + dropped, in packets and, with what was trimmed off, in bytes. */
export interface Totals {
  /** Packets made. */
  readonly packetsIn: number;
  /** Packets delivered. */
  readonly packetsOut: number;
  /** Packets on links and in queues at the end. */
  readonly packetsInFlight: number;
  /** Packets dropped. */
  readonly packetsDropped: number;
  /** Bytes of the packets made. */
  readonly bytesIn: number;
  /** Bytes of the packets delivered. */
  readonly bytesOut: number;
  /** Bytes on links and in queues at the end. */
  readonly bytesInFlight: number;
  /** Bytes of the packets dropped. */
  readonly bytesDropped: number;
  /** By reason; they sum up to `packetsDropped`. Reasons of hazards are left out if they dropped nothing. */
  readonly drops: Readonly<Record<CommonDropReason, number>> & Readonly<Partial<Record<HazardDropReason, number>>>;
  /** Data packets made, retransmitted ones included. */
  readonly dataPackets: number;
  /** ACKs made. */
  readonly acks: number;
  /** NAKs made. */
  readonly naks: number;
  /** CNPs made. */
  readonly cnps: number;
  /** Fast CNPs made. */
  readonly fastCnps: number;
  /** Pause frames sent. */
  readonly pauses: number;
  /** Frames sent that end a pause. */
  readonly resumes: number;
  /** ARNs sent. Absent: none. */
  readonly arns?: number;
  /** READ requests sent, repeated ones included. Absent: none. */
  readonly readRequests?: number;
  /** RNR NAKs sent. Absent: none. */
  readonly rnrNaks?: number;
  /** NACKs sent, of MRC. Absent: none. */
  readonly nacks?: number;
  /** Packets that switches trimmed. Absent, as the next two: none. */
  readonly trimmedPackets?: number;
  /** Bytes cut off them. */
  readonly bytesTrimmed?: number;
  /** Trimmed packets that a switch dropped. They count as dropped for want of buffer. */
  readonly trimmedDropped?: number;
  /** Packets marked. */
  readonly marks: number;
  /** Marks on data packets alone. */
  readonly dataMarks: number;
  /** Data packets retransmitted. */
  readonly retransmittedPackets: number;
  /** Retransmission timeouts. */
  readonly timeouts: number;
}

/** Why a packet was dropped. */
export type DropReason = CommonDropReason | HazardDropReason;

/** Reasons that every run has. */
export type CommonDropReason = 'buffer' | 'noRoute' | 'linkDown' | 'loss' | 'corrupt';

/**
 * Reasons of PFC's hazards: a wrong frame check sequence, a full receive buffer, the watchdog of a switch; and of tunnels: a Fast
 * CNP that an access list denies, a combination of ECN fields that is dropped where a tunnel ends (RFC 6040).
 */
export type HazardDropReason = 'bitErrors' | 'receiveBuffer' | 'watchdog' | 'accessList' | 'tunnelEcn';

/** The result of one flow. */
export interface FlowResult {
  /** Index of the flow. */
  readonly index: number;
  /** Name of the sending host. */
  readonly from: string;
  /** Name of the receiving host. */
  readonly to: string;
  /** Name of the parameter set. */
  readonly algorithm: string;
  /** Payload, bytes. Of a flow without an end more than it can send before the run ends. */
  readonly sizeBytes: number;
  /** It has no end: it sends until the run ends. Absent: it has one. */
  readonly endless?: true;
  /** Start, picoseconds. */
  readonly startPs: number;
  /** Start to last ACK, of a READ to its last byte; null while unfinished. */
  readonly completionPs: number | null;
  /** What completionPs would be alone in the network, picoseconds. */
  readonly idealPs: number;
  /** completionPs / idealPs. */
  readonly slowdown: number | null;
  /** Received in order, bytes. */
  readonly deliveredBytes: number;
  /** Packets retransmitted. */
  readonly retransmittedPackets: number;
  /** Retransmission timeouts. */
  readonly timeouts: number;
  /** Notifications that the sender reacted to. */
  readonly cnps: number;
  /** Fast CNPs that the sender reacted to. */
  readonly fastCnps: number;
  /** Notifications that it ignored as duplicates. */
  readonly duplicateNotifications: number;
  /** Time of the first notification of any kind; null: never. */
  readonly firstNotificationPs: number | null;
  /** Of its QP at the end of the run, which may be long after the flow's own. */
  readonly finalRateBps: number;
  /** Index of the first flow of its QP, which has its counters' sums in `qps`. Absent, as the next three: it has its own QP. */
  readonly qp?: number;
  /** When its first packet left, picoseconds; null: none did. It was posted at `startPs`. */
  readonly beganPs?: number | null;
  /** Rate of its QP then, bits per second. */
  readonly beganRateBps?: number;
  /** Its QP had been idle for `hosts.idleRestartUs`, and restarted at line rate. Absent: it kept its rate. */
  readonly restarted?: true;
  /** Base window; 0 = none. Absent: not reported. */
  readonly windowBytes?: number;
  /**
   * Why it ended without its last ACK: its retries are exhausted (`hosts.retryCount`), or those after RNR NAKs
   * (`hosts.rnrRetryCount`). Absent: it did not.
   */
  readonly failure?: 'retry-exceeded' | 'rnr-retry-exceeded';
  /** Data packets that arrived ahead of the expected byte. Absent, as the next ones: none. */
  readonly outOfOrderPackets?: number;
  /** Largest distance of an arrival ahead of the expected packet, packets. */
  readonly reorderingDepthPackets?: number;
  /** Data packets that arrived more than once. */
  readonly duplicatePackets?: number;
  /** NAKs, of MRC NACKs, that its sender received before its last ACK. */
  readonly naks?: number;
  /** Payload retransmitted, bytes. */
  readonly retransmittedBytes?: number;
  /** Packets that SACKs reported to its sender (`irn`, `tolerant`, `mrc`). */
  readonly sackedPackets?: number;
  /** Data packets dropped by the receiver because they were beyond its reordering window. */
  readonly beyondWindowPackets?: number;
  /** Fast CNPs on which its sender changed its UDP source port. Absent: none. */
  readonly detours?: number;
  /** READ requests that its requester sent: 1 + those for responses that it missed. Absent: it is not a READ, or has not started. */
  readonly readRequests?: number;
  /** RNR NAKs that its sender received. Absent: none. */
  readonly rnrNaks?: number;
  /** How long its sender waited for the receiver after them, picoseconds. Absent: never. */
  readonly rnrWaitPs?: number;
  /**
   * Names of the ports by which its data leaves, from the sender's on, while all links are up and before any reroute. Absent:
   * not reported, or it has no single path, as packets are spread.
   */
  readonly path?: readonly string[];
  /** How long pauses held it although its own path was free, picoseconds. Absent: never, or that was not inspected. */
  readonly heldPs?: number;
  /** Name of the port where that was longest at once. */
  readonly heldAt?: string;
  /** Name of the port at which the pause that held it began: it was paused by a host, or full. Absent: ports in a cycle. */
  readonly heldBy?: string;
}

/** Paused queues of switches whose packets waited for each other's memory, in a cycle. */
export interface DeadlockResult {
  /** When the last queue of its cycle was paused, picoseconds. */
  readonly formedPs: number;
  /** When it was found, picoseconds. */
  readonly foundPs: number;
  /** When it was found resolved, picoseconds; null: it was not. */
  readonly resolvedPs: number | null;
  /** Names of the ports, each waiting for the next, the last one for the first; at most 64. */
  readonly ports: readonly string[];
  /** The class that was stopped at each of them, 1 to 7. */
  readonly trafficClasses: readonly number[];
  /** Number of ports in the cycle. */
  readonly length: number;
}

/** A set of equal paths of a switch, of which at least one was used. */
export interface EqualPathsResult {
  /** Name of the switch. */
  readonly node: string;
  /** Names of its ports, in the order of the hash. */
  readonly ports: readonly string[];
  /** Bytes that each port sent: all packets, also those without a choice. */
  readonly txBytes: readonly number[];
  /** Jain's index of these, 1 / ports to 1. */
  readonly fairness: number;
}

/** The result of a job. */
export interface JobResult {
  /** Name of the job. */
  readonly name: string;
  /** Number of ranks. */
  readonly ranks: number;
  /** Number of operations. */
  readonly operations: number;
  /** Operations that are done. */
  readonly operationsDone: number;
  /** Number of messages between hosts. */
  readonly messages: number;
  /** Bytes of these. */
  readonly messageBytes: number;
  /** When it could begin, picoseconds. */
  readonly startPs: number;
  /** When its last operation was done, picoseconds; null: not all are. */
  readonly endPs: number | null;
  /** From its start to its end; null: it has not ended. */
  readonly completionPs: number | null;
  /** By rank: when its last operation was done, picoseconds; null: not all are. */
  readonly rankEndPs: readonly (number | null)[];
  /** By rank: time in which it computed on at least one of its lanes, picoseconds. */
  readonly rankComputePs: readonly number[];
  /** By rank: from the job's start to the rank's end, less that; null: it has not ended. */
  readonly exposedCommunicationPs: readonly (number | null)[];
  /** Rank that ended last; -1: not all did. */
  readonly straggler: number;
  /** Host of each rank. */
  readonly hosts: readonly string[];
  /** The first operations that are not done, and what each waits for. */
  readonly waiting: readonly string[];
  /** By iteration, of the slowest rank: from its end of the previous one, picoseconds; null: not all ranks are done. */
  readonly iterationPs?: readonly (number | null)[];
  /** The first 4,096 collectives, if the workload has any. */
  readonly collectives?: readonly CollectiveResult[];
  /** The chain of operations that determined its end; absent: the job has not ended. */
  readonly criticalPath?: CriticalPath;
  /** Its first operations over time. */
  readonly timeline?: JobTimeline;
  /** Sums over its messages, if `record.messages` is `sums`: they are not in `flows` then. */
  readonly messageSums?: MessageSums;
}

/** Messages of a job between different hosts, all together. */
export interface MessageSums {
  /** Messages that are all acknowledged. */
  readonly done: number;
  /** Bytes that receivers accepted in order. */
  readonly deliveredBytes: number;
  /** Data packets retransmitted. */
  readonly retransmittedPackets: number;
  /** Payload bytes retransmitted. */
  readonly retransmittedBytes: number;
  /** Retransmission timeouts. */
  readonly timeouts: number;
  /** CNPs that senders reacted to. */
  readonly cnps: number;
  /** Notifications that counted as duplicates. */
  readonly duplicateNotifications: number;
  /** Data packets that arrived ahead of the expected byte. */
  readonly outOfOrderPackets: number;
  /** Largest distance of an arrival ahead of the expected packet, packets. */
  readonly reorderingDepthPackets: number;
  /** Data packets that arrived more than once. */
  readonly duplicatePackets: number;
  /** NAKs that senders received. */
  readonly naks: number;
  /** From start to last ACK, the sum over those that are done, picoseconds. */
  readonly completionPs: number;
  /** The longest of these, picoseconds. */
  readonly mostCompletionPs: number;
}

/** One collective of a job. */
export interface CollectiveResult {
  /** `all-reduce` and the like. */
  readonly kind: string;
  /** Name of its step; empty: none. */
  readonly name: string;
  /** Number of members. */
  readonly ranks: number;
  /** The larger of a member's buffers, bytes: of all-gather the result. */
  readonly sizeBytes: number;
  /** When its first member began, picoseconds; null, as all that follows: not all are done. */
  readonly firstBeginPs: number | null;
  /** When its last member began: the difference is the ranks', not the network's. */
  readonly lastBeginPs: number | null;
  /** When its last member was done, sends included. */
  readonly endPs: number | null;
  /** Size over the time from the last begin to the end, bits per second; null also for a barrier. */
  readonly algorithmBps: number | null;
  /** Bus bandwidth as in NCCL's tests: 2 (n - 1) / n times that of all-reduce, (n - 1) / n of all-gather and the like. */
  readonly busBps: number | null;
}

/** The chain of operations that ended last; the six times add up to the job's completion. */
export interface CriticalPath {
  /** Computes, picoseconds. */
  readonly computePs: number;
  /** Overheads of sends and receives. */
  readonly overheadPs: number;
  /** Messages: the time that each takes alone in the network. */
  readonly messagePs: number;
  /** Additional time that messages waited in queues of ports, and at their own hosts behind other messages; an estimate. */
  readonly queueingPs: number;
  /** Remaining waits: senders held back by congestion control, pauses or losses. */
  readonly heldBackPs: number;
  /** Anything else, such as waiting for a receive to be posted. */
  readonly otherPs: number;
  /** Where messages waited, longest first; an estimate from the sampled queues. */
  readonly ports: readonly PortShare[];
  /** Number of computes and messages of the chain. */
  readonly stepCount: number;
  /** The last 256 of them, in order. */
  readonly steps: readonly CriticalStep[];
}

/** How long messages of the critical path waited at a port. */
export interface PortShare {
  /** `node:peer`. */
  readonly port: string;
  /** Picoseconds. */
  readonly waitPs: number;
}

/** A compute or a message of the critical path. */
export interface CriticalStep {
  /** What it is. */
  readonly kind: 'compute' | 'message';
  /** Rank that computes or sends. */
  readonly rank: number;
  /** Number of the operation in its graph; of a received message that of the receive. */
  readonly operation: number;
  /** Description of the operation; of a message that of the send. */
  readonly what: string;
  /** When it began, picoseconds. */
  readonly fromPs: number;
  /** When it allowed the next one to start. */
  readonly toPs: number;
  /** Of a message: its time beyond that alone in the network. */
  readonly waitedPs: number;
  /** Index of its flow; -1: none. */
  readonly flow: number;
}

/** Operations that are done, in columns. */
export interface JobTimeline {
  /** Number of each in its graph. */
  readonly operations: readonly number[];
  /** Its rank. */
  readonly rank: readonly number[];
  /** 0: compute, 1: send, 2: receive. */
  readonly kind: readonly number[];
  /** Lane; 65,535: none. */
  readonly lane: readonly number[];
  /** When it began, picoseconds; a receive: was posted. */
  readonly startPs: readonly number[];
  /** When it was done. */
  readonly endPs: readonly number[];
  /** Rank at the other end; 4,294,967,295: any. */
  readonly peer: readonly number[];
  /** Bytes of a message, picoseconds of a compute. */
  readonly amount: readonly number[];
  /** Place in these columns of the operation that allowed it to start; -1: none, or not kept. */
  readonly cause: readonly number[];
  /** Place of a receive's send, or of a send's receive; -1: not kept. */
  readonly match: readonly number[];
  /** Names in the workload; empty: none. */
  readonly names: readonly string[];
}

/** The result of one port. */
export interface PortResult {
  /** `node:peer`. */
  readonly name: string;
  /** Name of the port's node. */
  readonly node: string;
  /** Name of the node at the other end of the link. */
  readonly peer: string;
  /** Bits per second. */
  readonly rateBps: number;
  /** Packets sent. */
  readonly txPackets: number;
  /** Bytes sent. */
  readonly txBytes: number;
  /** Share of the time from the first flow's start on in which it was sending. */
  readonly utilization: number;
  /** Maximum bytes of one class waiting here (the reference's measure). */
  readonly maxClassQueueBytes: number;
  /** Maximum bytes of all classes waiting here. */
  readonly maxQueueBytes: number;
  /** Time-weighted mean of the queue, from the first flow's start on, bytes. */
  readonly meanQueueBytes: number;
  /** Packets marked. */
  readonly marks: number;
  /** Packets dropped. */
  readonly drops: number;
  /** Fast CNPs made here. */
  readonly fastCnps: number;
  /** Pause frames that this port sent. */
  readonly pausesSent: number;
  /** Pause frames received. */
  readonly pausesReceived: number;
  /** Time that it was paused, picoseconds, summed over classes. */
  readonly pausedPs: number;
  /** Queue up to which no packet is marked, bytes; of ports that mark. */
  readonly kminBytes?: number;
  /** Queue from which all packets are marked, bytes; of ports that mark. */
  readonly kmaxBytes?: number;
  /** Maximum shared memory that arrivals of one class held at once; of switches. */
  readonly maxIngressBytes?: number;
  /** Lowest pause threshold at such an arrival; of switches with PFC. */
  readonly minPauseThresholdBytes?: number;
  /** Data packets that were trimmed instead of joining its queue. Absent, as the next two: none, and none dropped. */
  readonly trimmedPackets?: number;
  /** The same by class, 0 to 7. */
  readonly trimmedByClass?: readonly number[];
  /** Trimmed packets that it dropped. */
  readonly trimmedDropped?: number;
  /** Times that the watchdog declared a queue here stormed. Absent, with the next three: never. */
  readonly watchdogStorms?: number;
  /** Times that such a queue was restored. */
  readonly watchdogRestored?: number;
  /** Packets that the watchdog dropped here. */
  readonly watchdogDrops?: number;
  /** How long queues counted as stormed, picoseconds, summed over classes. */
  readonly stormedPs?: number;
  /** Maximum bytes in the receive buffer of a slow receiver. */
  readonly maxReceiveBytes?: number;
  /** Packets that found it full. */
  readonly receiveDrops?: number;
}

/** A pause of one class of a port. */
export interface PauseInterval {
  /** Name of the port that was paused. */
  readonly port: string;
  /** The class that was paused, 0 to 7. */
  readonly trafficClass: number;
  /** Begin, picoseconds. */
  readonly fromPs: number;
  /** Not beyond the end of the run. */
  readonly toPs: number;
  /** What ended it: a resume frame; it expired or its link failed; the run's end came first. */
  readonly endedBy: 'resume' | 'lapse' | 'run-end';
  /** When frames arrived that renewed it, picoseconds. Absent: none did. */
  readonly renewedPs?: readonly number[];
}

/** Histogram of the lengths of switch queues, from samples at equal intervals. */
export interface QueueHistogramResult {
  /** Number of samples until the end of the run. */
  readonly looks: number;
  /** By name of a switch's port that had a queue of at least 1,000 bytes: samples with [k, k + 1) kB, from k = 0 on. */
  readonly ports: Readonly<Record<string, readonly number[]>>;
}

/**
 * Sampled at one interval; index 0 is `intervalPs` after the start of the first flow. Bounded memory: the interval
 * doubles when a series is full.
 */
export interface SeriesResult {
  /** Time between samples, picoseconds. */
  readonly intervalPs: number;
  /** Picoseconds. */
  readonly timesPs: readonly number[];
  /** Bytes waiting at each sample, by port name. */
  readonly queueBytes: Readonly<Record<string, readonly number[]>>;
  /** Maximum bytes waiting in the interval before each sample. */
  readonly mostQueueBytes?: Readonly<Record<string, readonly number[]>>;
  /** Share of the interval before each sample in which the port was sending. */
  readonly utilization: Readonly<Record<string, readonly number[]>>;
  /** Rate of the QP at each sample, by flow index; 0 before its start and after its end. */
  readonly rateBps: Readonly<Record<string, readonly number[]>>;
  /** Jain's index of the rates of the flows that are running; of more than 1,024, of those that started first. */
  readonly fairness: readonly number[];
}

/** A run in a few numbers. */
export interface Summary {
  /** Flows that are done. */
  readonly flowsDone: number;
  /** Flows that are not, and have an end. */
  readonly flowsUnfinished: number;
  /** Flows without an end. Absent: none. */
  readonly flowsEndless?: number;
  /** Completion times of flows that are done, picoseconds; null: none is. */
  readonly completionPs: Percentiles | null;
  /** Completion times over ideal ones; null: no flow is done. */
  readonly slowdown: Percentiles | null;
  /** Longest queue of any port, bytes. */
  readonly maxQueueBytes: number;
  /** Name of that port. */
  readonly maxQueuePort: string;
  /** Time-weighted mean queue of that port, bytes. */
  readonly meanQueueBytes: number;
  /** Time that ports were paused, picoseconds, summed over ports and classes. */
  readonly pausedPs: number;
  /**
   * First time from the last start on from which all flows running then have rates within 10 % of their mean and keep
   * them so for 20 samples; null: never.
   */
  readonly fairFromPs: number | null;
  /** Of all running flows, over the samples with at least two of them. */
  readonly meanFairness: number | null;
  /** Delivered payload over the time from the first start to the end, bits per second. */
  readonly goodputBps: number;
  /** Data packets that arrived ahead of the expected byte, of all flows. Absent, as the next ones: none. */
  readonly outOfOrderPackets?: number;
  /** Largest distance of an arrival ahead of the expected packet, packets. */
  readonly reorderingDepthPackets?: number;
  /** Fast CNPs on which senders changed their UDP source port. */
  readonly detours?: number;
  /** Jain's index of the bytes that equal paths sent, mean over sets weighted by bytes. Absent: `equalPaths` is. */
  readonly pathFairness?: number;
}

/** Nearest rank. */
export interface Percentiles {
  /** Least value. */
  readonly min: number;
  /** Median. */
  readonly p50: number;
  /** 95th percentile. */
  readonly p95: number;
  /** 99th percentile. */
  readonly p99: number;
  /** Greatest value. */
  readonly max: number;
  /** Arithmetic mean. */
  readonly mean: number;
}
