/**
 * One change of a QP's rate: its time, old and new rate, reason, and the inputs that caused it.
 *
 * The changes of a QP form a chain without gaps: each starts at the rate at which the previous one ended, the first at
 * the rate that the QP was opened with, and the last ends at `engine.rateBps(qp)`. A step that leaves the rate
 * unchanged has no entry. docs/guides/trace.md lists reasons and inputs, with the equations that they enter.
 *
 * As JSON lines there is one object per line with the fields of `RateChange`. Undefined fields are omitted; numbers are
 * written so that they parse to the same doubles. A reader must ignore unknown fields.
 */
import type { CauseName } from '../abi/names.js';
import { RoceError } from '../errors.js';

interface Change {
  /** Time of the step; a timer's expiry may be earlier than the event at which it was applied. Picoseconds. */
  readonly timePs: number;
  /** Number of the QP. */
  readonly qp: number;
  /** Rate before the step, bits per second. */
  readonly fromBps: number;
  /** Rate after the step, bits per second. */
  readonly toBps: number;
  /** Cause of the step: a timer, the byte counter, a CNP, a Fast CNP, an ACK, a loss. */
  readonly cause: CauseName;
}

/** DCQCN: the first CNP gave the QP a rate limiter and an initial rate; its cut is a separate change. */
export interface FirstCnpChange extends Change {
  /** Reason of the change. */
  readonly reason: 'first-cnp';
  /** Alpha, 0..1. */
  readonly alpha: number;
}

/** DCQCN: a cut. `cause` is `time` if cuts are made once per period. */
export interface CutChange extends Change {
  /** Reason of the change. */
  readonly reason: 'cut';
  /** The alpha used for the cut, 0..1. */
  readonly alpha: number;
  /** Target rate R_T after the cut. */
  readonly targetBps: number;
}

/** DCQCN: a step up by the timer (`time`) or the byte counter (`bytes`). */
export interface IncreaseChange extends Change {
  /** Reason of the change. */
  readonly reason: 'fast-recovery' | 'additive' | 'hyper';
  /** R_T, to which the step went halfway. */
  readonly targetBps: number;
  /** Timer stage T, including this step; stops at 65535. */
  readonly timeStage: number;
  /** Byte counter stage B, including this step; stops at 65535. */
  readonly byteStage: number;
}

/** DCQCN: the limiter was removed; the QP is at line rate. */
export interface ReleaseChange extends Change {
  /** Reason of the change. */
  readonly reason: 'release';
}

/**
 * The hop that determined a step of HPCC, and the terms of its u' = tx rate / line rate + queue * R / line rate / W.
 */
export interface HopInputs {
  /** Its index on the path, from 0 at the sender; under HPCC++ among the hops that the signal reported. */
  readonly index: number;
  /** u' of the hop. */
  readonly utilization: number;
  /** The smaller queue length of the two records. */
  readonly queueBytes: number;
  /** Throughput of the port between the two records, bits per second. */
  readonly txRateBps: number;
  /** Rate of the port, bits per second. */
  readonly lineRateBps: number;
  /** Time between the two records, nanoseconds. */
  readonly tauNs: number;
}

/**
 * HPCC and HPCC++: Q = Q_c / (u / eta) + step, or Q = Q_c + step. `hpcc-kept`: the slowest hop used its stored Q_c
 * (multiRate). Under HPCC++, `cause` tells whether an ACK, a CNP or a Fast CNP reported the hop.
 */
export interface HpccChange extends Change {
  /** Reason of the change. */
  readonly reason: 'hpcc-multiplicative' | 'hpcc-additive' | 'hpcc-kept';
  /** u, smoothed; for a notification under HPCC++ at least `notifiedUtilization`. */
  readonly utilization: number;
  /**
   * The busiest hop, or under multiRate the one with the smallest Q; undefined if no hop had any load, or none was
   * reported.
   */
  readonly hop: HopInputs | undefined;
  /** Q_c, if a rate is controlled. */
  readonly referenceBps: number | undefined;
  /** Q_c, if a window is controlled. */
  readonly referenceBytes: number | undefined;
  /** Number of consecutive additive steps before this one. */
  readonly incStage: number;
  /** Whether the step became the new reference, because the ACK began a round trip (HPCC++: or one has passed). */
  readonly fullUpdate: boolean;
}

/** HPCC++: a recovery step in the absence of signals: halfway to a target, or one additive step. `cause` is `time`. */
export interface RecoveryChange extends Change {
  /** Reason of the change. */
  readonly reason: 'recovery-halfway' | 'recovery-additive';
  /** The reference before the last cut, if a rate is controlled. */
  readonly targetBps: number | undefined;
  /** The reference before the last cut, if a window is controlled. */
  readonly targetBytes: number | undefined;
  /** Number of steps since the last signal, including this one; stops at 65535. */
  readonly recoveryStep: number;
}

/** HPCC-PINT: as HPCC, with the utilisation that the switches encoded. */
export interface HpccPintChange extends Change {
  /** Reason of the change. */
  readonly reason: 'pint-multiplicative' | 'pint-additive';
  /** Smoothed utilisation of the busiest hop, 1 = full. */
  readonly utilization: number;
  /** Encoded utilisation carried by the packet. */
  readonly power: number;
  /** Reference rate of the step, bits per second. */
  readonly referenceBps: number;
  /** Number of consecutive additive steps before this one. */
  readonly incStage: number;
  /** Whether the step became the new reference. */
  readonly fullUpdate: boolean;
}

/** TIMELY: the round trip was below T_low, above T_high, or between them, where its gradient decides. */
export interface TimelyChange extends Change {
  /** Reason of the change. */
  readonly reason: 'timely-low-rtt' | 'timely-high-rtt' | 'timely-gradient';
  /** Round trip that the ACK measured, nanoseconds. */
  readonly rttNs: number;
  /** Smoothed difference of round trips, including this one. */
  readonly rttDiffNs: number;
  /** rttDiffNs divided by the minimum round trip. */
  readonly gradient: number;
  /** Number of consecutive increases before this step. */
  readonly incStage: number;
}

/** DCTCP: a cut by alpha / 2, or an additive step. */
export interface DctcpChange extends Change {
  /** Reason of the change. */
  readonly reason: 'dctcp-cut' | 'dctcp-increase';
  /** Smoothed share of marked packets, 0 to 1. */
  readonly alpha: number;
  /** F, the marked fraction of the batch that this ACK ended; undefined if it ended none. */
  readonly markedFraction: number | undefined;
}

/** Swift, on an ACK. `swift-round-trip`: the window is unchanged, the rate follows the round trip. */
export interface SwiftAckChange extends Change {
  /** Reason of the change. */
  readonly reason: 'swift-increase' | 'swift-decrease' | 'swift-round-trip';
  /** Round trip that the ACK measured, picoseconds. */
  readonly rttPs: number;
  /** The round trip without the time spent in the hosts. */
  readonly delayPs: number;
  /** Target delay of the algorithm, picoseconds. */
  readonly targetDelayPs: number;
  /** Window before the ACK. */
  readonly cwndPackets: number;
}

/** Swift, on a loss. `swift-timeout`: enough consecutive timeouts to reset the window. */
export interface SwiftLossChange extends Change {
  /** Reason of the change. */
  readonly reason: 'swift-loss' | 'swift-timeout';
  /** The last measured round trip, picoseconds. */
  readonly rttPs: number;
  /** Window before the loss. */
  readonly cwndPackets: number;
}

/**
 * NSCC: the rate is window / base round trip. `nscc-round-trip`: the window is unchanged except for new limits, the
 * base round trip fell. `nscc-increase`: a fulfilment. `nscc-loss`: a NACK or a loss. `nscc-quick-adapt`: the window
 * becomes what one round trip achieved.
 */
export interface NsccChange extends Change {
  /** Reason of the change. */
  readonly reason: 'nscc-round-trip' | 'nscc-increase' | 'nscc-fast-increase' | 'nscc-decrease' | 'nscc-quick-adapt'
    | 'nscc-loss' | 'nscc-timeout';
  /** Queueing delay that the ACK measured, picoseconds; 0 for a loss. */
  readonly delayPs: number;
  /** Smoothed queueing delay, picoseconds. */
  readonly averageDelayPs: number;
  /** Target delay of the algorithm, picoseconds. */
  readonly targetDelayPs: number;
  /** Window before the event. */
  readonly cwndBytes: number;
  /** Minimum round trip so far, picoseconds. */
  readonly baseRttPs: number;
}

/** A change by a custom algorithm, with the reason given by its handler. */
export interface CustomChange extends Change {
  /** Reason of the change. */
  readonly reason: 'custom';
  /** Text of the reason, from the handler. */
  readonly text: string;
}

/** A change by an algorithm that gives no reasons. */
export interface OtherChange extends Change {
  /** Reason of the change. */
  readonly reason: 'other';
}

/** A rate change, discriminated by `reason`. */
export type RateChange = FirstCnpChange | CutChange | IncreaseChange | ReleaseChange | HpccChange | RecoveryChange
  | HpccPintChange | TimelyChange | DctcpChange | SwiftAckChange | SwiftLossChange | NsccChange | CustomChange
  | OtherChange;

/** Reasons of rate changes, by name; docs/guides/trace.md has all of them. */
export type RateChangeReason = RateChange['reason'];

/** A gap in a trace: this many changes of the call did not fit. */
export interface LostChanges {
  /** Number of changes that did not fit in the trace. */
  readonly lost: number;
}

/**
 * Formats one line, including its newline.
 *
 * @param extra further fields to append, such as the name of the flow.
 */
export function formatTraceLine(change: RateChange | LostChanges,
  extra: Readonly<Record<string, string | number>> = {}): string {
  try {
    return `${JSON.stringify({ ...change, ...extra })}\n`;
  } catch (cause) {
    throw new RoceError('invalid-argument', { where: 'change', problem: 'cannot be written as JSON', cause });
  }
}

/**
 * Formats the changes of a call as JSON lines, followed by a line `{"lost":n}` if changes were lost.
 *
 * @param trace `engine.trace`, or any list of changes.
 * @example
 * engine.applyEvents();
 * process.stdout.write(formatTrace(engine.trace));
 */
export function formatTrace(trace: Iterable<RateChange> & { readonly lost?: number }): string {
  const { [Symbol.iterator]: items } = (trace ?? {}) as Partial<Iterable<unknown>>;
  if (typeof items !== 'function' || ArrayBuffer.isView(trace)) {
    throw new RoceError('invalid-argument', { where: 'trace', got: trace, allowed: 'a list of rate changes' });
  }
  let lines = '';
  for (const change of trace) lines += formatTraceLine(change);
  return trace.lost ? lines + formatTraceLine({ lost: trace.lost }) : lines;
}
