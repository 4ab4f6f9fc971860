/**
 * What the senders of this folder share: the ACK, the interface of a model, the tracer of its rate changes, sequence
 * numbers, and the order of events.
 *
 * A QP's sequence numbers count either payload bytes or packets (PSNs). `ackSeq` is the first unacknowledged number
 * (an InfiniBand ACK names the last one received: ackSeq = PSN + 1), `sndNxt` the next one to be sent.
 *
 *   'u32'    the low 32 bits, compared as plain numbers; 0 = nothing acknowledged yet (the ns-3 reference simulator;
 *            flows must stay below 4 GiB)
 *   'psn24'  the low 24 bits, a is newer than b if 0 < (a - b) mod 2^24 < 2^23 (InfiniBand, serial arithmetic)
 *
 * The order of one QP's events, under the policy for late ones:
 *
 *   time                     reject            clamp
 *   invalid                  BAD_TIME          BAD_TIME
 *   before the last event    TIME_BACKWARDS    takes effect at the time of the last event, and is counted
 *   else                     takes effect at its time
 */
import { TIME_MAX_PS, OUTCOME_BAD_TIME, OUTCOME_TIME_BACKWARDS } from '../../abi/codes.js';
import type { RoundTripMark } from '../../abi/state/state-record.js';
import type { SequenceNumbers } from '../../config/algorithms/algorithm.js';
import type { HpccPpTelemetry } from './hpcc-pp/hops.js';
import type { Telemetry } from './hpcc/hops.js';

/** An ACK as received by the sender. Fields that the algorithm does not read may be absent. */
export interface Ack {
  /** Time of arrival, picoseconds, 0 to 2^53 - 1. */
  readonly timePs: number;
  /** First sequence number not yet acknowledged. */
  readonly ackSeq: number;
  /** Next sequence number to be sent, at the time of the ACK. */
  readonly sndNxt: number;
  /** Whether the acknowledged packet carried a congestion mark. Read by DCTCP and NSCC. */
  readonly ecnEcho: boolean;
  /** Time when the acknowledged packet was sent, picoseconds. Read by TIMELY, Swift and NSCC. */
  readonly sentTimePs?: number;
  /** Part of the round trip spent in the hosts' queues, picoseconds; default 0. Read by Swift. */
  readonly hostDelayPs?: number;
  /** Number of hops on the forward path, for Swift's topology scaling; default 0. */
  readonly hopCount?: number;
  /** Packets that this ACK newly acknowledges; default 1. Read by Swift. */
  readonly ackedPackets?: number;
  /** Payload bytes that this ACK newly acknowledges. Read by NSCC. */
  readonly ackedBytes?: number;
  /** Per-hop records that the acknowledged packet collected. Read by HPCC. */
  readonly telemetry?: Telemetry;
  /** The encoded utilisation of the busiest hop. Read by HPCC-PINT. */
  readonly pintPower?: number;
  /** What the receiver says of the window: a penalty, 0 to 127, and whether the window from before the penalties returns. Read by NSCC. */
  readonly windowPenalty?: number;
  /** Of the same. */
  readonly restoreWindow?: boolean;
}

/** A NACK: the receiver got a packet whose payload a switch had trimmed. */
export interface Nack {
  /** Time of arrival, picoseconds, 0 to 2^53 - 1. */
  readonly timePs: number;
  /** Trimmed payload, bytes. */
  readonly trimmedBytes: number;
  /** Time when the trimmed packet was sent, picoseconds. */
  readonly sentTimePs?: number;
  /** Whether the last switch on the path trimmed it. */
  readonly isLastHop: boolean;
}

/** Reason for rejecting an event; a rejected event changes nothing. */
export type EventRejection = 'bad-time' | 'time-backwards';

/**
 * Effect of an ACK.
 *
 *   first      the first ACK: it only initialised the state
 *   update     a full update, once per round trip: changed rate and reference state
 *   fast       changed rate and telemetry state, but not the reference
 *   skipped    nothing to do for this algorithm or its settings
 *   no-signal  the ACK lacks the algorithm's input, or has it in another format: nothing changed
 *   new-path   the telemetry is of another path: its records replaced the stored ones, the rate is unchanged
 */
export type AckOutcome = 'first' | 'update' | 'fast' | 'skipped' | 'no-signal' | 'new-path' | EventRejection;

/** Outcome of an event other than an ACK. */
export type EventOutcome = 'handled' | EventRejection;

/** Interface of a sender's congestion control for one QP. */
export interface CongestionControl {
  /** Rate at which packets may leave, bits per second. */
  readonly rateBps: number;
  /** Limit of unacknowledged bytes; 0 = no window. */
  readonly windowBytes: number;
  /** Earliest time of the next packet, picoseconds; 0 = immediately. */
  readonly nextSendPs: number;
  /** A data packet of `lenBytes` on the wire was sent. */
  onSent(timePs: number, lenBytes: number): EventOutcome;
  onAck(ack: Ack): AckOutcome;
  /** Whether the last ACK set the rate, perhaps to the same value. Absent: every `update` and `fast` does. */
  readonly rateSet?: boolean;
  /** A packet was lost, detected by a NAK or selective ACK (`fast`) or by a retransmission timeout. */
  onLoss?(timePs: number, found: 'fast' | 'timeout'): EventOutcome;
  /** A switch trimmed a packet. Absent: the packet counts as a loss detected `fast`. */
  onNack?(nack: Nack): EventOutcome;
  /** The receiver granted credit, as a cumulative pull number. `skipped`: the number is not newer. */
  onCredit?(timePs: number, pullNumber: number): AckOutcome;
  /** Whether there is credit for another packet. Absent: without receiver credit, the window decides. */
  readonly hasCredit?: boolean;
  /** The pull number to request from the receiver; `senders` is the number of senders waiting for the same port. */
  pullTarget?(backlogBytes: number, senders: number): number;
  /** A CNP or a Fast CNP arrived; a Fast CNP may report hops. */
  onNotification?(timePs: number, source: 'fast-cnps' | 'cnps', telemetry: HpccPpTelemetry | undefined): AckOutcome;
  /** An ACK frame echoed a trace. */
  onEcho?(timePs: number, telemetry: HpccPpTelemetry): AckOutcome;
  /** Next time when the rate can change without an event, picoseconds; absent if it can't. */
  readonly nextDeadlinePs?: number;
  /** Number of timer steps so far; absent for algorithms without timers. */
  readonly timerSteps?: number;
}

/** Whether this is a valid event time: 0 to 2^53 - 1 picoseconds. */
export function isEventTime(timePs: number): boolean {
  return timePs >= 0 && timePs <= TIME_MAX_PS;
}

/** Why an event at this time is rejected, if it is: invalid time, or before the QP's last event. */
export function eventRejection(timePs: number, lastEventPs: number): EventRejection | undefined {
  if (!isEventTime(timePs)) return 'bad-time';
  return timePs < lastEventPs ? 'time-backwards' : undefined;
}

const PSN_MASK = 0xffffff;
const PSN_HALF = 0x800000;

/** A sequence number in the mode's width: its low 32 or 24 bits. */
export function sequenceOf(mode: SequenceNumbers, value: number): number {
  return mode === 'u32' ? value >>> 0 : value & PSN_MASK;
}

/** Whether `a` is newer than `b`, both as returned by `sequenceOf`. */
export function isNewer(mode: SequenceNumbers, a: number, b: number): boolean {
  if (mode === 'u32') return a > b;
  const ahead = (a - b) & PSN_MASK;
  return ahead > 0 && ahead < PSN_HALF;
}

/** The newer one of two sequence numbers. */
export function newerOf(mode: SequenceNumbers, a: number, b: number): number {
  return isNewer(mode, a, b) ? a : b;
}

/** Distance between two numbers, `to` - `from`, modulo 2^32 or 2^24. */
export function sequenceGap(mode: SequenceNumbers, from: number, to: number): number {
  return sequenceOf(mode, to - from);
}

/** Whether an ACK of this number begins a new round trip. */
export function beginsRoundTrip(mode: SequenceNumbers, mark: Readonly<RoundTripMark>, ackSeq: number): boolean {
  const first = mode === 'psn24' && !mark.started;
  return first || isNewer(mode, sequenceOf(mode, ackSeq), mark.lastUpdateSeq);
}

/** Moves the mark to the next sequence number to be sent. */
export function moveMark(mode: SequenceNumbers, mark: RoundTripMark, sndNxt: number): void {
  const next = sequenceOf(mode, sndNxt);
  mark.lastUpdateSeq = mark.started ? newerOf(mode, next, mark.lastUpdateSeq) : next;
  mark.started = mode === 'psn24' || mark.lastUpdateSeq !== 0;
}

/** Copies the fields that `target` has from `source`; lists of records are copied element by element. */
export function takeOver(target: object, source: object): void {
  for (const [name, value] of Object.entries(target)) {
    const given = (source as Record<string, unknown>)[name];
    if (given === undefined) continue;
    if (Array.isArray(value) && Array.isArray(given)) {
      value.forEach((item, index) => {
        takeOver(item as object, given[index] as object);
      });
    } else (target as Record<string, unknown>)[name] = given;
  }
}

/** Treatment of an event older than the QP's last one. */
export type LatePolicy = 'reject' | 'clamp';

const OUTCOMES = { 'bad-time': OUTCOME_BAD_TIME, 'time-backwards': OUTCOME_TIME_BACKWARDS } as const;

/** The OUTCOME_* of a rejected event under the policy `reject`; undefined if it is accepted. */
export function rejectionOutcome(timePs: number, lastEventPs: number): number | undefined {
  const rejection = eventRejection(timePs, lastEventPs);
  return rejection && OUTCOMES[rejection];
}

/** Applies the policy for late events, and returns codes. */
export class EventOrder {
  readonly #clamps: boolean;
  #lateClamped = 0;

  constructor(latePolicy: LatePolicy) {
    this.#clamps = latePolicy === 'clamp';
  }

  /** Number of late events that were moved to the time of the QP's last event. */
  get lateClamped(): number {
    return this.#lateClamped;
  }

  /** The OUTCOME_* of a rejected event; undefined if it is accepted. Changes nothing. */
  rejection(timePs: number, lastEventPs: number): number | undefined {
    const outcome = rejectionOutcome(timePs, lastEventPs);
    return this.#clamps && outcome === OUTCOME_TIME_BACKWARDS ? undefined : outcome;
  }

  /** The time at which an accepted event takes effect. */
  admit(timePs: number, lastEventPs: number): number {
    if (timePs >= lastEventPs) return timePs;
    this.#lateClamped += 1;
    return lastEventPs;
  }
}

/** Explains the rate changes of one QP, with the numbers of a trace record; absent without a trace. */
export interface RateTracer {
  /** Sets the rate that the next change is compared with: at the beginning, and after a state was restored. */
  start(rateBps: number): void;
  /**
   * States the reason of the current step; the last description before `changed` counts.
   *
   * @param reason TRACE_* of src/abi/trace-layout.ts.
   * @param inputs input values in the order of the record; missing ones are 0.
   * @param detail TRACE_DETAIL_* bits.
   * @param hop position of a hop on the path.
   */
  describe(reason: number, inputs: readonly number[], detail?: number, hop?: number): void;
  /** A step may have changed the rate. `cause`: CAUSE_*, or 'notification' for the one being handled. */
  changed(timePs: number, cause: number | 'notification', rateBps: number): void;
}
