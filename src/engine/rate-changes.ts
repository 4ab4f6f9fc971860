/**
 * One change of a QP's rate: when, from what to what, for which reason, and the inputs that caused it.
 *
 * The changes of a QP are a chain without a gap: each begins at the rate at which the one before it ended, the first at the
 * rate that the QP was opened with, and the last ends at `engine.rateBps(qp)`. A step that leaves the rate as it is has no
 * entry. docs/guides/trace.md lists reasons and inputs, with the equations that they enter.
 */
import type { CauseName } from '../abi/names.js';

interface Change {
  /** Time of the step itself, picoseconds: a timer's expiry lies before the event that found it. */
  readonly timePs: number;
  /** The QP. */
  readonly qp: number;
  /** Rate before the step, bits per second. */
  readonly fromBps: number;
  /** Rate after it, bits per second. */
  readonly toBps: number;
  /** Cause of the step: a timer, the byte counter, a CNP, a Fast CNP, an ACK, a loss. */
  readonly cause: CauseName;
}

/** DCQCN: the first CNP gave the QP a limiter and an initial rate; its cut is a separate change. */
export interface FirstCnpChange extends Change {
  /** Reason of the change. */
  readonly reason: 'first-cnp';
  /** 0..1 */
  readonly alpha: number;
}

/** DCQCN: a cut. `cause` is `time` where cuts are checked once a period. */
export interface CutChange extends Change {
  /** Reason of the change. */
  readonly reason: 'cut';
  /** The alpha that the rate was cut by, 0..1. */
  readonly alpha: number;
  /** R_T after the cut. */
  readonly targetBps: number;
}

/** DCQCN: a step up by the timer (`time`) or the byte counter (`bytes`). */
export interface IncreaseChange extends Change {
  /** Reason of the change. */
  readonly reason: 'fast-recovery' | 'additive' | 'hyper';
  /** R_T that the step went halfway to. */
  readonly targetBps: number;
  /** T and B, this step counted; both stop at 65535. */
  readonly timeStage: number;
  /** B, this step counted; stops at 65535. */
  readonly byteStage: number;
}

/** DCQCN: the limiter was taken away; the QP is at line rate. */
export interface ReleaseChange extends Change {
  /** Reason of the change. */
  readonly reason: 'release';
}

/** The hop that decided on a step of HPCC, and the terms of its u' = tx rate / line rate + queue * R / line rate / W. */
export interface HopInputs {
  /** Its place on the path, from the sender on, counted from 0; under HPCC++ among the hops that the signal reported. */
  readonly index: number;
  /** u' */
  readonly utilization: number;
  /** The shorter queue of the two records. */
  readonly queueBytes: number;
  /** Throughput of the port between the two records, bits per second. */
  readonly txRateBps: number;
  /** Rate of the port, bits per second. */
  readonly lineRateBps: number;
  /** Between the two records. */
  readonly tauNs: number;
}

/**
 * HPCC and HPCC++: Q = Q_c / (u / eta) + step, or Q = Q_c + step; `hpcc-kept`: the slowest hop counted with its Q_c (multiRate).
 * Under HPCC++ `cause` says whether an ACK, a CNP or a Fast CNP reported the hop.
 */
export interface HpccChange extends Change {
  /** Reason of the change. */
  readonly reason: 'hpcc-multiplicative' | 'hpcc-additive' | 'hpcc-kept';
  /** u, smoothed; of a notification under HPCC++ at least `notifiedUtilization`. */
  readonly utilization: number;
  /** The busiest hop, under multiRate the one with the smallest Q; undefined when no hop showed any load, or none was reported. */
  readonly hop: HopInputs | undefined;
  /** Q_c, where a rate is controlled. */
  readonly referenceBps: number | undefined;
  /** Q_c, where a window is controlled. */
  readonly referenceBytes: number | undefined;
  /** Additive steps in a row before this one. */
  readonly incStage: number;
  /** Whether the ACK began a round trip (HPCC++: or one has passed), so that the step became the new reference. */
  readonly fullUpdate: boolean;
}

/** HPCC++: a step of recovery, without news: halfway to a target, or one additive step. `cause` is `time`. */
export interface RecoveryChange extends Change {
  /** Reason of the change. */
  readonly reason: 'recovery-halfway' | 'recovery-additive';
  /** The reference before the last cut, where a rate is controlled. */
  readonly targetBps: number | undefined;
  /** The same, where a window is controlled. */
  readonly targetBytes: number | undefined;
  /** Steps since the last news, this one counted; stops at 65535. */
  readonly recoveryStep: number;
}

/** HPCC-PINT: as HPCC, with the utilisation that the switches encoded. */
export interface HpccPintChange extends Change {
  /** Reason of the change. */
  readonly reason: 'pint-multiplicative' | 'pint-additive';
  /** Smoothed utilisation of the busiest hop, 1 = full. */
  readonly utilization: number;
  /** As the packet carried it. */
  readonly power: number;
  /** Reference rate of the step, bits per second. */
  readonly referenceBps: number;
  /** Additive steps in a row before this one. */
  readonly incStage: number;
  /** Whether the step became the new reference. */
  readonly fullUpdate: boolean;
}

/** TIMELY: the round trip below T_low, above T_high, or between them, where its gradient decides. */
export interface TimelyChange extends Change {
  /** Reason of the change. */
  readonly reason: 'timely-low-rtt' | 'timely-high-rtt' | 'timely-gradient';
  /** Round trip that the ACK measured, nanoseconds. */
  readonly rttNs: number;
  /** Smoothed difference of round trips, this one included. */
  readonly rttDiffNs: number;
  /** rttDiffNs over the least round trip. */
  readonly gradient: number;
  /** Increases in a row before this step. */
  readonly incStage: number;
}

/** DCTCP: a cut by alpha / 2, or an additive step. */
export interface DctcpChange extends Change {
  /** Reason of the change. */
  readonly reason: 'dctcp-cut' | 'dctcp-increase';
  /** Smoothed share of marked packets, 0 to 1. */
  readonly alpha: number;
  /** F, marked part of the batch that this ACK ended; undefined when it ended none. */
  readonly markedFraction: number | undefined;
}

/** Swift, by an ACK; `swift-round-trip`: the window stayed, the rate follows the round trip. */
export interface SwiftAckChange extends Change {
  /** Reason of the change. */
  readonly reason: 'swift-increase' | 'swift-decrease' | 'swift-round-trip';
  /** Round trip that the ACK measured, picoseconds. */
  readonly rttPs: number;
  /** The round trip without the hosts' part. */
  readonly delayPs: number;
  /** Delay that the algorithm aims at, picoseconds. */
  readonly targetDelayPs: number;
  /** The window that the ACK found. */
  readonly cwndPackets: number;
}

/** Swift, by a loss; `swift-timeout`: by enough timeouts in a row to reset the window. */
export interface SwiftLossChange extends Change {
  /** Reason of the change. */
  readonly reason: 'swift-loss' | 'swift-timeout';
  /** The last one. */
  readonly rttPs: number;
  /** The window that the loss found. */
  readonly cwndPackets: number;
}

/**
 * NSCC: the rate is window / base round trip. `nscc-round-trip`: the window stayed within new limits, the base round trip fell;
 * `nscc-increase`: a fulfilment; `nscc-loss`: a NACK or a loss; `nscc-quick-adapt`: what one round trip achieved is the window.
 */
export interface NsccChange extends Change {
  /** Reason of the change. */
  readonly reason: 'nscc-round-trip' | 'nscc-increase' | 'nscc-fast-increase' | 'nscc-decrease' | 'nscc-quick-adapt'
    | 'nscc-loss' | 'nscc-timeout';
  /** Queueing delay that the ACK measured, picoseconds; 0 of a loss. */
  readonly delayPs: number;
  /** Smoothed, picoseconds. */
  readonly averageDelayPs: number;
  /** Delay that the algorithm aims at, picoseconds. */
  readonly targetDelayPs: number;
  /** The window that the event found. */
  readonly cwndBytes: number;
  /** The least round trip so far, picoseconds. */
  readonly baseRttPs: number;
}

/** A custom algorithm, by the reason that its handler gave. */
export interface CustomChange extends Change {
  /** Reason of the change. */
  readonly reason: 'custom';
  /** The handler's text. */
  readonly text: string;
}

/** An algorithm that explains nothing. */
export interface OtherChange extends Change {
  /** Reason of the change. */
  readonly reason: 'other';
}

/** Told apart by `reason`. */
export type RateChange = FirstCnpChange | CutChange | IncreaseChange | ReleaseChange | HpccChange | RecoveryChange
  | HpccPintChange | TimelyChange | DctcpChange | SwiftAckChange | SwiftLossChange | NsccChange | CustomChange
  | OtherChange;

/** Reasons of rate changes, by name; docs/guides/trace.md has all of them. */
export type RateChangeReason = RateChange['reason'];
