/**
 * Sequence numbers and the end of a round trip, for ACK-driven algorithms.
 *
 *   u32     the low 32 bits, compared as plain numbers; 0 = nothing acknowledged yet (the ns-3 reference simulator)
 *   psn24   the low 24 bits, a is newer than b if 0 < (a - b) mod 2^24 < 2^23 (InfiniBand, serial arithmetic)
 *
 * The round-trip mark of a QP is lastUpdateSeq, the next number to be sent when the current round trip began, and
 * CONTROLLER_STARTED, set once an ACK has moved the mark (under u32: while it is not 0).
 *
 * Citation  src/reference/algorithms/ack.ts; alibaba-edu/High-Precision-Congestion-Control at 9f4be2a; InfiniBand Architecture
 *           Specification, volume 1, section 9.7 (PSNs).
 */
import { CONTROLLER_STARTED, ControllerState } from '../records/controllers';

/** Code of a parameter `sequence`; 0: 32 bits. */
export const SEQUENCE_PSN24: f64 = 1;

const PSN_MASK: u32 = 0xffffff;
const PSN_HALF: u32 = 0x800000;

/** A sequence number in the mode's width: its low 32 or 24 bits. */
@inline export function sequenceOf(mode: f64, value: u32): u32 {
  return mode == SEQUENCE_PSN24 ? value & PSN_MASK : value;
}

/** Whether `a` is newer than `b`, both as `sequenceOf` returns them. */
@inline export function isNewer(mode: f64, a: u32, b: u32): bool {
  if (mode != SEQUENCE_PSN24) return a > b;
  // A difference of 0 wraps to the largest number, so equal numbers are not newer.
  return ((a - b) & PSN_MASK) - 1 < PSN_HALF - 1;
}

/** The newer one of two sequence numbers. */
@inline export function newerOf(mode: f64, a: u32, b: u32): u32 {
  return isNewer(mode, a, b) ? a : b;
}

/** `to` - `from`, modulo 2^32 or 2^24. */
@inline export function sequenceGap(mode: f64, from: u32, to: u32): u32 {
  return sequenceOf(mode, to - from);
}

/** Whether an ACK has set the end of the round trip. */
@inline export function isStarted(q: ControllerState): bool {
  return (q.flags & CONTROLLER_STARTED) != 0;
}

@inline export function setStarted(q: ControllerState, started: bool): void {
  q.flags = <u8>((q.flags & ~CONTROLLER_STARTED) | (started ? CONTROLLER_STARTED : 0));
}

/** Whether an ACK of this number begins a new round trip. */
@inline export function beginsRoundTrip(mode: f64, q: ControllerState, ackSeq: u32): bool {
  const first = mode == SEQUENCE_PSN24 && !isStarted(q);
  return first || isNewer(mode, sequenceOf(mode, ackSeq), q.lastUpdateSeq);
}

/** Moves the mark to the next sequence number to be sent. */
@inline export function moveMark(mode: f64, q: ControllerState, sndNxt: u32): void {
  const next = sequenceOf(mode, sndNxt);
  const mark = isStarted(q) ? newerOf(mode, next, q.lastUpdateSeq) : next;
  q.lastUpdateSeq = mark;
  setStarted(q, mode == SEQUENCE_PSN24 || mark != 0);
}
