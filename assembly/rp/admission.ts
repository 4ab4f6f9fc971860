/**
 * May an event be applied to a QP? Open, at a time that can be, in order.
 *
 * Time never runs backwards for a QP: an event older than its last one is refused, or moved to it (settings).
 */
import { QP_OPEN, TIME_MAX_PS } from '../../src/abi/codes';
import { COUNTER_LATE_CLAMPED } from '../../src/abi/layout';
import { count } from '../memory/counters';
import { flagsOf, qpCapacity, stateOf } from '../memory/map';
import { QpState } from '../memory/records';
import { clampLate } from '../memory/settings';

/** QP_OPEN and the rest of its flags, or 0 for a number that is no open QP. */
@inline export function openFlags(qp: u32): u32 {
  if (qp >= qpCapacity) return 0;
  const flags = flagsOf(qp);
  return flags & QP_OPEN ? flags : 0;
}

/** May an event have this time? */
@inline export function isTime(timePs: f64): bool {
  return timePs >= 0 && timePs <= TIME_MAX_PS;
}

/** When a notification at `timePs` takes effect at an open QP; NaN when its time will be refused. */
@inline export function effectiveTime(qp: u32, timePs: f64): f64 {
  if (!isTime(timePs)) return NaN;
  const lastEventPs = stateOf(qp).lastEventPs;
  if (timePs >= lastEventPs) return timePs;
  return clampLate ? lastEventPs : NaN;
}

/** The time of the last event of a QP, for one that comes late and is clamped; counted. */
@inline export function clampToLast(q: QpState): f64 {
  count(COUNTER_LATE_CLAMPED, 1);
  return q.lastEventPs;
}
