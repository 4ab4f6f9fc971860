/**
 * What a run gives: plain data, the same bytes for the same scenario and seed. JSON, CSV, captures and traces are made of it.
 */
import type { ScenarioSpec } from './scenario/spec.js';

/** Told while a run goes on. */
export interface Progress {
  readonly nowPs: number;
  readonly flowsDone: number;
  readonly flowsTotal: number;
  readonly bytesDelivered: number;
  readonly bytesTotal: number;
  readonly packetHops: number;
  readonly events: number;
}

/** What a run came to, as plain data. Times in picoseconds, rates in bits per second, sizes in bytes. */
export interface SimResult {
  readonly format: 'roce-cc-result-1';
  readonly scenario: ScenarioSpec;
  readonly fidelity: 'standard' | 'reference';
  readonly seed: number;
  /** Why the run ended. */
  readonly ended: 'all-flows-done' | 'time' | 'stuck' | 'cancelled';
  readonly simulatedPs: number;
  readonly events: number;
  /** Transmissions by any port. */
  readonly packetHops: number;
  /** Of all results below, 16 hex digits. */
  readonly hash: string;
  readonly totals: Totals;
  readonly flows: readonly FlowResult[];
  readonly ports: readonly PortResult[];
  readonly series: SeriesResult;
  readonly summary: Summary;
  /** When what was paused, in order of time, for traces. Runs do not keep them. */
  readonly pauses?: readonly PauseInterval[];
  /** Settings without effect here, and what else a reader should know. */
  readonly notes: readonly string[];
}

/** Conservation: in = out + in flight + dropped, in packets and in bytes. */
export interface Totals {
  readonly packetsIn: number;
  readonly packetsOut: number;
  readonly packetsInFlight: number;
  readonly packetsDropped: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly bytesInFlight: number;
  readonly bytesDropped: number;
  /** By reason; they sum up to `packetsDropped`. */
  readonly drops: Readonly<Record<DropReason, number>>;
  readonly dataPackets: number;
  readonly acks: number;
  readonly naks: number;
  readonly cnps: number;
  readonly fastCnps: number;
  readonly pauses: number;
  readonly resumes: number;
  readonly marks: number;
  /** Marks on data packets alone. */
  readonly dataMarks: number;
  readonly retransmittedPackets: number;
  readonly timeouts: number;
}

/** Why a packet was dropped. */
export type DropReason = 'buffer' | 'noRoute' | 'linkDown' | 'loss' | 'corrupt';

/** What became of one flow. */
export interface FlowResult {
  readonly index: number;
  readonly from: string;
  readonly to: string;
  readonly algorithm: string;
  readonly sizeBytes: number;
  readonly startPs: number;
  /** Start to last ACK; null while unfinished. */
  readonly completionPs: number | null;
  readonly idealPs: number;
  /** completionPs / idealPs. */
  readonly slowdown: number | null;
  readonly deliveredBytes: number;
  readonly retransmittedPackets: number;
  readonly timeouts: number;
  /** Notifications that the sender reacted to, and those that it passed over as duplicates. */
  readonly cnps: number;
  readonly fastCnps: number;
  readonly duplicateNotifications: number;
  /** When the first notification of any kind came; null: never. */
  readonly firstNotificationPs: number | null;
  /** Of its QP at the end of the run, which may be long after the flow's own. */
  readonly finalRateBps: number;
  /** Base window; 0 = none. Not there: not told. */
  readonly windowBytes?: number;
  /** Names of the ports by which its data leaves, from the sender's on, while all links are up. Not there: not told. */
  readonly path?: readonly string[];
}

/** What one port saw. */
export interface PortResult {
  /** `node:peer`. */
  readonly name: string;
  readonly node: string;
  readonly peer: string;
  readonly rateBps: number;
  readonly txPackets: number;
  readonly txBytes: number;
  /** Share of the time from the first flow's start on in which it was sending. */
  readonly utilization: number;
  /** Most bytes of one class waiting here at once (the reference's measure), and of all classes. */
  readonly maxClassQueueBytes: number;
  readonly maxQueueBytes: number;
  /** From the first flow's start on. */
  readonly meanQueueBytes: number;
  readonly marks: number;
  readonly drops: number;
  readonly fastCnps: number;
  /** Pause frames that this port sent, and how long what it sends was paused, summed over classes. */
  readonly pausesSent: number;
  readonly pausesReceived: number;
  readonly pausedPs: number;
  /** Thresholds of marking, where this port marks. */
  readonly kminBytes?: number;
  readonly kmaxBytes?: number;
  /** Most shared memory that frames of one class which came in here held at once; of switches. */
  readonly maxIngressBytes?: number;
  /** Lowest that the pause threshold was when such a frame came in; of switches with PFC. */
  readonly minPauseThresholdBytes?: number;
}

/** A class of what a port sends stood still. */
export interface PauseInterval {
  /** Name of the port that was paused. */
  readonly port: string;
  readonly trafficClass: number;
  readonly fromPs: number;
  /** Not beyond the end of the run. */
  readonly toPs: number;
}

/** Sampled at one interval; index 0 is `intervalPs` behind the start of the first flow. Bounded memory: the interval doubles when a series is full. */
export interface SeriesResult {
  readonly intervalPs: number;
  /** Picoseconds. */
  readonly timesPs: readonly number[];
  /** Bytes waiting at each sample, by port name. */
  readonly queueBytes: Readonly<Record<string, readonly number[]>>;
  /** Most bytes waiting in the interval before each sample. Not part of the hash. Not there: a result of 0.1. */
  readonly mostQueueBytes?: Readonly<Record<string, readonly number[]>>;
  /** Share of the interval before each sample in which the port was sending. */
  readonly utilization: Readonly<Record<string, readonly number[]>>;
  /** Rate of the QP at each sample, by flow index; 0 before its start and after its end. */
  readonly rateBps: Readonly<Record<string, readonly number[]>>;
  /** Jain's index of the rates of the flows that are running, all of them. */
  readonly fairness: readonly number[];
}

/** A run in a few numbers. */
export interface Summary {
  readonly flowsDone: number;
  readonly flowsUnfinished: number;
  readonly completionPs: Percentiles | null;
  readonly slowdown: Percentiles | null;
  readonly maxQueueBytes: number;
  readonly maxQueuePort: string;
  /** Time-weighted, of that port. */
  readonly meanQueueBytes: number;
  readonly pausedPs: number;
  /**
   * First time from the last start on from which all flows running then have rates within 10 % of their mean and keep them so for
   * 20 samples; null: never.
   */
  readonly fairFromPs: number | null;
  /** Of all running flows, over the samples with at least two of them. */
  readonly meanFairness: number | null;
  readonly goodputBps: number;
}

/** Nearest rank. */
export interface Percentiles {
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly mean: number;
}

/** One packet as it left a port that is being captured: what a capture is made of. */
export interface PacketRecord {
  readonly timePs: number;
  /** Index of the port. */
  readonly port: number;
  readonly kind: 'data' | 'ack' | 'nak' | 'cnp' | 'fast-cnp' | 'pause' | 'resume';
  /** Index of the flow; -1 for pause frames. */
  readonly flow: number;
  /** First payload byte (data), or byte expected next (ACK, NAK). */
  readonly sequence: number;
  readonly lenBytes: number;
  readonly payloadBytes: number;
  /** Pause class, or traffic class. */
  readonly trafficClass: number;
  readonly marked: boolean;
  /** Index of the switch that made a Fast CNP. Default: the node of `port`. */
  readonly origin?: number;
}
