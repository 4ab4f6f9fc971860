/**
 * Whether an event may be applied to a QP: it is open, and the time is valid and in order.
 *
 * Time never runs backwards for a QP: an event older than its last one is rejected, or moved to that time (settings).
 */
import { QP_OPEN, TIME_MAX_PS } from '../../src/abi/codes';
import { COUNTER_LATE_CLAMPED } from '../../src/abi/layout';
import { count } from './counters';
import { flagsOf, qpCapacity } from './map';
import { QpState } from './records';
import { clampLate } from './settings';

/** Flags of an open QP, including QP_OPEN; 0 for any other number. */
@inline export function openFlags(qp: u32): u32 {
  if (qp >= qpCapacity) return 0;
  const flags = flagsOf(qp);
  return flags & QP_OPEN ? flags : 0;
}

/** Whether this is a valid event time. */
@inline export function isTime(timePs: f64): bool {
  return timePs >= 0 && timePs <= TIME_MAX_PS;
}

/** Time at which an event takes effect: its own, or that of the QP's last event; NaN if it is late and rejected. */
@inline export function effectiveTime(q: QpState, timePs: f64): f64 {
  if (timePs >= q.lastEventPs) return timePs;
  return clampLate ? q.lastEventPs : NaN;
}

/** Like `effectiveTime`, for an event that is about to be applied: counts it if it is moved. */
export function admit(q: QpState, timePs: f64): f64 {
  const effectivePs = effectiveTime(q, timePs);
  if (effectivePs > timePs) count(COUNTER_LATE_CLAMPED, 1);
  return effectivePs;
}
