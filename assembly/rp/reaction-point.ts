/**
 * The reaction point's door: checks that an event may be applied to a QP, applies the timers that are due,
 * then the event, and reports a new rate.
 *
 * Time never runs backwards for a QP: an event older than its last one is refused, or moved to it (settings).
 * A QP without a limiter has no clock: sending and touching change nothing there, so its record is not even read.
 */
import { ALGORITHM_DCQCN } from '../../src/abi/ack-layout';
import { CAUSE_BYTES, CAUSE_TIME, OUTCOME_BAD_TIME, OUTCOME_CNP_HANDLED, OUTCOME_SENT, OUTCOME_TIME_BACKWARDS,
  OUTCOME_TOUCHED, OUTCOME_UNKNOWN_QP, QP_LIMITED } from '../../src/abi/codes';
import { emitRate } from '../memory/actions';
import { onCnp, onSent } from '../algorithms/dcqcn/transitions';
import { catchUp, catchUpThrough } from '../algorithms/dcqcn/timers';
import { parameterSetOf, setFlags, stateOf } from '../memory/map';
import { DcqcnParameterSet, QpState } from '../memory/records';
import { clampLate } from '../memory/settings';
import { beginEvent, TRACING, tracing } from '../trace/ring';
import { clampToLast, isTime, openFlags } from './admission';
import { notifiedUnderControl, sentUnderControl, touchedUnderControl } from './doors';

/** A data packet of this QP left: the timers' and the byte counter's business. */
export function sent(qp: u32, timePs: f64, lenBytes: u32): u32 {
  const flags = openFlags(qp);
  if (!flags) return OUTCOME_UNKNOWN_QP;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  if (!(flags & QP_LIMITED)) return OUTCOME_SENT;
  const q = stateOf(qp);
  if (timePs < q.lastEventPs) {
    if (!clampLate) return OUTCOME_TIME_BACKWARDS;
    timePs = clampToLast(q);
  }
  const p = parameterSetOf(flags);
  if (p.algorithm != ALGORITHM_DCQCN) return sentUnderControl(qp, timePs, lenBytes);
  return sentInTime(qp, q, p, flags, timePs, lenBytes, q.rateBps);
}

/** What `sent` leads to once its checks are passed; `before`: the rate that the host knows. */
export function sentInTime(qp: u32, q: QpState, p: DcqcnParameterSet, flags: u32, timePs: f64, lenBytes: u32,
  before: f64): u32 {
  if (TRACING && tracing) beginEvent(CAUSE_TIME, q.rateBps);
  if (flags & QP_LIMITED) flags = catchUp(qp, q, p, flags, timePs - p.tieGapPs);
  const afterTimers = q.rateBps;
  if (flags & QP_LIMITED) flags = onSent(q, p, flags, timePs, lenBytes);
  setFlags(qp, flags);
  q.lastEventPs = timePs;
  emitRate(timePs, qp, q.rateBps == afterTimers ? CAUSE_TIME : CAUSE_BYTES, q.rateBps, before);
  return OUTCOME_SENT;
}

/**
 * A CNP for this QP, or a Fast CNP that passed its checks, came; `cause` says which, `record` what telemetry it has for
 * another algorithm than DCQCN.
 */
export function congestionNotified(qp: u32, timePs: f64, cause: u32, record: usize): u32 {
  const flags = openFlags(qp);
  if (!flags) return OUTCOME_UNKNOWN_QP;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  const p = parameterSetOf(flags);
  if (p.algorithm != ALGORITHM_DCQCN) return notifiedUnderControl(qp, timePs, cause, record);
  const q = stateOf(qp);
  if (timePs < q.lastEventPs) {
    if (!clampLate) return OUTCOME_TIME_BACKWARDS;
    timePs = clampToLast(q);
  }
  return notifiedInTime(qp, q, p, flags, timePs, cause, q.rateBps);
}

/** What `congestionNotified` leads to once its checks are passed; `before`: the rate that the host knows. */
export function notifiedInTime(qp: u32, q: QpState, p: DcqcnParameterSet, flags: u32, timePs: f64, cause: u32,
  before: f64): u32 {
  const upToPs = timePs - p.tieGapPs;
  if (TRACING && tracing) beginEvent(cause, q.rateBps);
  if (flags & QP_LIMITED) flags = catchUp(qp, q, p, flags, upToPs);
  setFlags(qp, onCnp(qp, q, p, flags, timePs, upToPs));
  q.lastEventPs = timePs;
  emitRate(timePs, qp, cause, q.rateBps, before);
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
  const p = parameterSetOf(flags);
  if (TRACING && tracing) beginEvent(CAUSE_TIME, before);
  if (p.algorithm == ALGORITHM_DCQCN) {
    const after = catchUpThrough(qp, q, p, flags, timePs);
    if (after != flags) setFlags(qp, after);
  } else touchedUnderControl(qp, timePs);
  q.lastEventPs = timePs;
  emitRate(timePs, qp, CAUSE_TIME, q.rateBps, before);
  return OUTCOME_TOUCHED;
}

/** As `touched`, but a QP that is beyond `timePs` already is passed over, whatever the policy for late events. */
export function advanced(qp: u32, timePs: f64): void {
  if (openFlags(qp) & QP_LIMITED && timePs >= stateOf(qp).lastEventPs) touched(qp, timePs);
}
