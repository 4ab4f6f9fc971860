/**
 * The common case of the event loop: sent or CNP, with a parameter set on the fast path (fast-path.ts) and time in order.
 *
 * Equal bit for bit to rp/reaction-point.ts and transitions.ts. Every other event falls back to them, possibly after some timer
 * steps.
 */
import { CAUSE_CNP, CAUSE_TIME, DCQCN_FAST_PATH, EVENT_CNP, EVENT_SENT, NONE, OUTCOME_BAD_TIME, OUTCOME_CNP_HANDLED,
  OUTCOME_SENT, QP_LIMITED, QP_OPEN } from '../../../src/abi/codes';
import { emitRate } from '../../memory/actions';
import { isTime } from '../../memory/admission';
import { flagsOf, parameterSetOf, qpCapacity, stateOf } from '../../memory/map';
import { QpState } from '../../memory/records';
import { cutOnCnp, isDue, runTimers } from './fast-path';
import { asDcqcn, DcqcnParameterSet } from './record';
import { release, releases } from './steps';
import { cnp, pace, sent } from './transitions';

/** The event must take the full path; nothing was changed. */
export const FALLBACK: u32 = NONE;

/** `kind`: EVENT_SENT, or EVENT_CNP with `lenBytes` 0. Returns the outcome or FALLBACK. */
@inline export function fastEvent(kind: u32, qp: u32, timePs: f64, lenBytes: u32): u32 {
  if (qp >= qpCapacity) return FALLBACK;
  let flags = flagsOf(qp);
  if (!(flags & QP_LIMITED)) return kind == EVENT_SENT && flags & QP_OPEN ? sentUnlimited(timePs) : FALLBACK;
  const q = stateOf(qp);
  const p = asDcqcn(parameterSetOf(flags));
  if (!(p.switches & DCQCN_FAST_PATH) || !(timePs >= q.lastEventPs) || !isTime(timePs)) return FALLBACK;

  const before = q.rateBps;
  const upToPs = timePs - p.tieGapPs;
  if (isDue(q, upToPs)) {
    const reached = runTimers(q, p, upToPs);
    if (reached | isDue(q, upToPs)) {
      if (reached && releases(q, p, flags)) flags = release(q, p, flags);
      return fullStep(kind, qp, q, p, flags, timePs, lenBytes, before);
    }
  }
  if (kind == EVENT_CNP) {
    q.lastEventPs = timePs;
    cutOnCnp(q, p, timePs);
    emitRate(timePs, qp, CAUSE_CNP, q.rateBps, before);
    return OUTCOME_CNP_HANDLED;
  }
  const bytes = q.bytesCounted + (lenBytes & p.byteMask);
  if (bytes >= p.byteLimit) return fullStep(kind, qp, q, p, flags, timePs, lenBytes, before);
  q.bytesCounted = bytes;
  q.lastEventPs = timePs;
  pace(q, timePs, lenBytes);
  emitRate(timePs, qp, CAUSE_TIME, q.rateBps, before);
  return OUTCOME_SENT;
}

/** Completes an event on the full path; timer steps already taken don't affect its result. */
function fullStep(kind: u32, qp: u32, q: QpState, p: DcqcnParameterSet, flags: u32, timePs: f64, lenBytes: u32,
  before: f64): u32 {
  if (kind == EVENT_CNP) cnp(qp, q, p, flags, timePs, CAUSE_CNP, before);
  else sent(qp, q, p, flags, timePs, lenBytes, before);
  return kind == EVENT_CNP ? OUTCOME_CNP_HANDLED : OUTCOME_SENT;
}

@inline function sentUnlimited(timePs: f64): u32 {
  return isTime(timePs) ? OUTCOME_SENT : OUTCOME_BAD_TIME;
}
