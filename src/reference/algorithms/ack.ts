/**
 * What the rate-based senders of this folder have in common: the acknowledgement that they read, the shape of a model,
 * sequence numbers, and the order of events.
 *
 * Sequence numbers are in one unit per QP: payload bytes, or packets (PSNs). `ackSeq` is the first number that is not
 * yet acknowledged (an InfiniBand ACK names the last one received: ackSeq = PSN + 1), `sndNxt` the next to be sent.
 *
 *   'u32'    the low 32 bits, compared as plain numbers; 0 = nothing acknowledged yet (the ns-3 reference simulator,
 *            whose flows therefore must stay below 4 GiB)
 *   'psn24'  the low 24 bits, a is newer than b if 0 < (a - b) mod 2^24 < 2^23 (InfiniBand, serial arithmetic)
 */
import type { RoundTripMark } from '../../abi/state/state-record.js';
import { TIME_MAX_PS } from '../../abi/codes.js';
import type { SequenceNumbers } from '../../config/algorithms/shared-types.js';
import type { Telemetry } from './hpcc/hops.js';
import type { HpccPpTelemetry } from './hpcc-pp/hops.js';

/** One acknowledgement as its sender sees it. What an algorithm does not read may be left out. */
export interface Ack {
  /** When it arrived, picoseconds, 0 to 2^53 - 1. */
  readonly timePs: number;
  /** First sequence number not yet acknowledged. */
  readonly ackSeq: number;
  /** Next sequence number to be sent, as the ACK finds it. */
  readonly sndNxt: number;
  /** Whether the acknowledged packet carried a congestion mark. Read by DCTCP and NSCC. */
  readonly ecnEcho: boolean;
  /** When the acknowledged packet left the sender, picoseconds. Read by TIMELY, Swift and NSCC. */
  readonly sentTimePs?: number;
  /** Part of the round trip that the hosts' own queues took, picoseconds; default 0. Read by Swift. */
  readonly hostDelayPs?: number;
  /** Switches and hosts on the forward path that count for Swift's topology scaling; default 0. */
  readonly hopCount?: number;
  /** Packets that this ACK newly acknowledges; default 1. Read by Swift. */
  readonly ackedPackets?: number;
  /** Payload bytes that this ACK newly acknowledges. Read by NSCC. */
  readonly ackedBytes?: number;
  /** Per-hop records that the acknowledged packet gathered. Read by HPCC. */
  readonly telemetry?: Telemetry;
  /** The encoded utilisation of the busiest hop. Read by HPCC-PINT. */
  readonly pintPower?: number;
}

/** A NACK: the receiver got a packet whose payload a switch had trimmed. */
export interface Nack {
  /** When it arrived, picoseconds, 0 to 2^53 - 1. */
  readonly timePs: number;
  /** Payload that was cut off, bytes. */
  readonly trimmedBytes: number;
  /** When the trimmed packet left the sender, picoseconds. */
  readonly sentTimePs?: number;
  /** Whether the last switch on the path trimmed it. */
  readonly isLastHop: boolean;
}

/** Reason of an event's rejection; it has changed nothing. */
export type EventRejection = 'bad-time' | 'time-backwards';

/**
 * What an ACK did.
 *
 *   first      the first one: it only set a starting point
 *   update     a full update, once per round trip: rate and reference state moved
 *   fast       rate and telemetry state moved against the unchanged reference
 *   skipped    nothing to do for this algorithm or its settings
 *   no-signal  the ACK lacks what the algorithm reads, or has it in another form: nothing changed
 *   new-path   the telemetry is of another path: its records were taken as a new start, the rate stays
 */
export type AckOutcome = 'first' | 'update' | 'fast' | 'skipped' | 'no-signal' | 'new-path' | EventRejection;

/** Outcome of an event other than an ACK. */
export type EventOutcome = 'handled' | EventRejection;

/** The shape of a sender's congestion control for one QP. */
export interface CongestionControl {
  /** Rate at which packets may leave, bits per second. */
  readonly rateBps: number;
  /** At most this much may be unacknowledged, bytes; 0 = no window. */
  readonly windowBytes: number;
  /** The next packet may leave at this time, picoseconds; 0 = at once. */
  readonly nextSendPs: number;
  /** A data packet of `lenBytes` on the wire left. */
  onSent(timePs: number, lenBytes: number): EventOutcome;
  onAck(ack: Ack): AckOutcome;
  /** Whether the last ACK set the rate, perhaps to the same value. Absent: each `update` and `fast` does. */
  readonly rateSet?: boolean;
  /** A packet was lost: found by a NAK or selective acknowledgement, or by a retransmission timeout. */
  onLoss?(timePs: number, found: 'fast' | 'timeout'): EventOutcome;
  /** A switch trimmed a packet; absent: that is a loss, found `fast`. */
  onNack?(nack: Nack): EventOutcome;
  /** Credit came: the receiver's cumulative pull number. `skipped`: it is no news. */
  onCredit?(timePs: number, pullNumber: number): AckOutcome;
  /** Whether there is credit for another packet; absent: the receiver grants none, and the window counts. */
  readonly hasCredit?: boolean;
  /** The pull number to ask the receiver for; `senders` wait for the same port. */
  pullTarget?(backlogBytes: number, senders: number): number;
  /** A CNP or a Fast CNP came, the latter perhaps with hops. */
  onNotification?(timePs: number, source: 'fast-cnps' | 'cnps', telemetry: HpccPpTelemetry | undefined): AckOutcome;
  /** An ACK frame echoed a trace. */
  onEcho?(timePs: number, telemetry: HpccPpTelemetry): AckOutcome;
  /** When the rate can next change without an event, picoseconds; absent: it can't. */
  readonly nextDeadlinePs?: number;
  /** Steps made by time so far; absent: there are none. */
  readonly timerSteps?: number;
}

/** Whether an event may carry this time: 0 to 2^53 - 1 picoseconds. */
export function isEventTime(timePs: number): boolean {
  return timePs >= 0 && timePs <= TIME_MAX_PS;
}

/** Reason for which an event at this time is rejected, if any: invalid time, or before the QP's last event. */
export function eventRejection(timePs: number, lastEventPs: number): EventRejection | undefined {
  if (!isEventTime(timePs)) return 'bad-time';
  return timePs < lastEventPs ? 'time-backwards' : undefined;
}

const PSN_MASK = 0xffffff;
const PSN_HALF = 0x800000;

/** The sequence number as the mode keeps it: its low 32 or 24 bits. */
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

/** Distance from the other number to `to`, modulo 2^32 or 2^24. */
export function sequenceGap(mode: SequenceNumbers, from: number, to: number): number {
  return sequenceOf(mode, to - from);
}

/** Whether an ACK of this number begins a new round trip. */
export function beginsRoundTrip(mode: SequenceNumbers, mark: Readonly<RoundTripMark>, ackSeq: number): boolean {
  const first = mode === 'psn24' && !mark.started;
  return first || isNewer(mode, sequenceOf(mode, ackSeq), mark.lastUpdateSeq);
}

/** Moves the mark to what has been sent by now. */
export function moveMark(mode: SequenceNumbers, mark: RoundTripMark, sndNxt: number): void {
  const next = sequenceOf(mode, sndNxt);
  mark.lastUpdateSeq = mark.started ? newerOf(mode, next, mark.lastUpdateSeq) : next;
  mark.started = mode === 'psn24' || mark.lastUpdateSeq !== 0;
}

/** Takes the fields of `target` over from `source`, lists of records element by element; other fields are ignored. */
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
