/**
 * The reaction point's door: checks that an event may be applied to a QP, applies the timers that are due,
 * then the event, and reports a new rate.
 *
 * Time never runs backwards for a QP: an event older than its last one is refused, or moved to it (settings).
 * A QP without a limiter has no clock: sending and touching change nothing there, so its record is not even read.
 */
import {
  CAUSE_BYTES,
  CAUSE_TIME,
  DCQCN_HYPER_HALVES_PERIODS,
  OUTCOME_BAD_TIME,
  OUTCOME_CNP_HANDLED,
  OUTCOME_SENT,
  OUTCOME_TIME_BACKWARDS,
  OUTCOME_TOUCHED,
  OUTCOME_UNKNOWN_QP,
  QP_LIMITED,
  QP_OPEN,
  TIME_MAX_PS,
} from '../../src/abi/codes';
import { COUNTER_LATE_CLAMPED } from '../../src/abi/layout';
import { emitRate } from '../memory/actions';
import { catchUp, catchUpThrough, onCnp, onSent, timersDue } from '../cc/dcqcn';
import { count } from '../memory/counters';
import { flagsOf, profileOf, qpCapacity, setFlags, stateOf } from '../memory/map';
import { DcqcnProfile, QpState } from '../memory/records';
import { clampLate } from '../memory/settings';

/** QP_OPEN and the rest of its flags, or 0 for a number that is no open QP. */
@inline export function openFlags(qp: u32): u32 {
  if (qp >= qpCapacity) return 0;
  const flags = flagsOf(qp);
  return flags & QP_OPEN ? flags : 0;
}

@inline function isTime(timePs: f64): bool {
  return timePs >= 0 && timePs <= TIME_MAX_PS;
}

/** When a notification at `timePs` takes effect at an open QP; NaN when its time will be refused. */
@inline export function effectiveTime(qp: u32, timePs: f64): f64 {
  if (!isTime(timePs)) return NaN;
  const lastEventPs = stateOf(qp).lastEventPs;
  if (timePs >= lastEventPs) return timePs;
  return clampLate ? lastEventPs : NaN;
}

/** A data packet of this QP left: the timers' and the byte counter's business. */
@inline export function sent(qp: u32, timePs: f64, lenBytes: u32): u32 {
  const flags = openFlags(qp);
  if (!flags) return OUTCOME_UNKNOWN_QP;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  if (!(flags & QP_LIMITED)) return OUTCOME_SENT;
  const q = stateOf(qp);
  const p = profileOf(flags);
  const bytes = q.bytesCounted + lenBytes;
  const quiet = timePs >= q.lastEventPs && !timersDue(q, flags, timePs - p.tieGapPs);
  if (!quiet || mayStep(p, bytes)) return sentAfterTimers(qp, q, p, flags, timePs, lenBytes);
  onSent(q, p, flags, timePs, lenBytes);
  q.lastEventPs = timePs;
  return OUTCOME_SENT;
}

/** Can the byte counter expire with so many bytes? Where hyper increase halves its limit, half of them are enough. */
@inline function mayStep(p: DcqcnProfile, bytes: u32): bool {
  const limit = p.byteCounterBytes;
  return limit != 0 && (bytes >= limit || (p.switches & DCQCN_HYPER_HALVES_PERIODS && bytes >= limit >> 1));
}

function sentAfterTimers(qp: u32, q: QpState, p: DcqcnProfile, flags: u32, timePs: f64, lenBytes: u32): u32 {
  if (timePs < q.lastEventPs) {
    if (!clampLate) return OUTCOME_TIME_BACKWARDS;
    timePs = clampToLast(q);
  }
  const before = q.rateBps;
  let after = catchUp(qp, q, p, flags, timePs - p.tieGapPs);
  const afterTimers = q.rateBps;
  if (after & QP_LIMITED) after = onSent(q, p, after, timePs, lenBytes);
  if (after != flags) setFlags(qp, after);
  q.lastEventPs = timePs;
  if (q.rateBps != before) emitRate(timePs, qp, q.rateBps == afterTimers ? CAUSE_TIME : CAUSE_BYTES, q.rateBps);
  return OUTCOME_SENT;
}

/** A CNP for this QP, or a Fast CNP that passed its checks, came; `cause` says which. */
export function congestionNotified(qp: u32, timePs: f64, cause: u32): u32 {
  const flags = openFlags(qp);
  if (!flags) return OUTCOME_UNKNOWN_QP;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  const q = stateOf(qp);
  if (timePs < q.lastEventPs) {
    if (!clampLate) return OUTCOME_TIME_BACKWARDS;
    timePs = clampToLast(q);
  }
  const p = profileOf(flags);
  const upToPs = timePs - p.tieGapPs;
  const before = q.rateBps;
  let after = flags;
  if (flags & QP_LIMITED && timersDue(q, flags, upToPs)) after = catchUp(qp, q, p, flags, upToPs);
  after = onCnp(qp, q, p, after, timePs, upToPs);
  if (after != flags) setFlags(qp, after);
  q.lastEventPs = timePs;
  if (q.rateBps != before) emitRate(timePs, qp, cause, q.rateBps);
  return OUTCOME_CNP_HANDLED;
}

/** Nothing came but time: everything due up to and including `timePs` is applied. */
export function touched(qp: u32, timePs: f64): u32 {
  const flags = openFlags(qp);
  if (!flags) return OUTCOME_UNKNOWN_QP;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  if (!(flags & QP_LIMITED)) return OUTCOME_TOUCHED;
  const q = stateOf(qp);
  if (timePs < q.lastEventPs) {
    if (!clampLate) return OUTCOME_TIME_BACKWARDS;
    timePs = clampToLast(q);
  }
  const before = q.rateBps;
  const after = catchUpThrough(qp, q, profileOf(flags), flags, timePs);
  if (after != flags) setFlags(qp, after);
  q.lastEventPs = timePs;
  if (q.rateBps != before) emitRate(timePs, qp, CAUSE_TIME, q.rateBps);
  return OUTCOME_TOUCHED;
}

/** As `touched`, but a QP that is beyond `timePs` already is passed over, whatever the policy for late events. */
export function advanced(qp: u32, timePs: f64): void {
  if (openFlags(qp) & QP_LIMITED && timePs >= stateOf(qp).lastEventPs) touched(qp, timePs);
}

@inline function clampToLast(q: QpState): f64 {
  count(COUNTER_LATE_CLAMPED, 1);
  return q.lastEventPs;
}
