/**
 * Whether an event may be applied to a QP: it is open, and the time is valid and in order.
 *
 * Time never runs backwards for a QP: an event older than its last one is rejected, or moved to it (settings).
 */
import { QP_OPEN, TIME_MAX_PS } from '../../src/abi/codes';
import { COUNTER_LATE_CLAMPED } from '../../src/abi/layout';
import { count } from './counters';
import { flagsOf, qpCapacity } from './map';
import { QpState } from './records';
import { clampLate } from './settings';

/** QP_OPEN and the rest of its flags, or 0 for a number that is no open QP. */
@inline export function openFlags(qp: u32): u32 {
  if (qp >= qpCapacity) return 0;
  const flags = flagsOf(qp);
  return flags & QP_OPEN ? flags : 0;
}

/** Whether an event may have this time. */
@inline export function isTime(timePs: f64): bool {
  return timePs >= 0 && timePs <= TIME_MAX_PS;
}

/** When an event takes effect at a QP: at its own time, or at that of the QP's last event; NaN = rejected, it comes too late. */
@inline export function effectiveTime(q: QpState, timePs: f64): f64 {
  if (timePs >= q.lastEventPs) return timePs;
  return clampLate ? q.lastEventPs : NaN;
}

/** The same for an event that is about to be applied: one that is moved is counted. */
export function admit(q: QpState, timePs: f64): f64 {
  const effectivePs = effectiveTime(q, timePs);
  if (effectivePs > timePs) count(COUNTER_LATE_CLAMPED, 1);
  return effectivePs;
}
