/**
 * The usual event of a usual QP, for the event loop: sent or CNP, parameter set plain (plain.ts), time in order.
 *
 * Does what rp/reaction-point.ts and transitions.ts do, to the bit, with no branch on what is as good as random. Whatever is
 * unusual it leaves to them: at once, or after the first step of the timers.
 */
import { CAUSE_CNP, CAUSE_TIME, DCQCN_PLAIN, EVENT_SENT, NONE, OUTCOME_BAD_TIME, OUTCOME_CNP_HANDLED, OUTCOME_SENT,
  QP_LIMITED, QP_OPEN } from '../../../src/abi/codes';
import { emitRate } from '../../memory/actions';
import { isTime } from '../../memory/admission';
import { flagsOf, parameterSetOf, qpCapacity, stateOf } from '../../memory/map';
import { cutPlain, stepPlain } from './plain';
import { asDcqcn } from './record';
import { release, releases } from './steps';
import { cnp, pace, sent } from './transitions';

/** Not a usual event: nothing was done. */
export const UNUSUAL: u32 = NONE;

/** `kind`: EVENT_SENT, or EVENT_CNP with `lenBytes` 0. Returns the outcome or UNUSUAL. */
@inline export function plainEvent(kind: u32, qp: u32, timePs: f64, lenBytes: u32): u32 {
  if (qp >= qpCapacity) return UNUSUAL;
  let flags = flagsOf(qp);
  if (!(flags & QP_LIMITED)) return kind == EVENT_SENT && flags & QP_OPEN ? sentUnlimited(timePs) : UNUSUAL;
  const q = stateOf(qp);
  const p = asDcqcn(parameterSetOf(flags));
  if (!(p.switches & DCQCN_PLAIN) || !(timePs >= q.lastEventPs) || !isTime(timePs)) return UNUSUAL;

  const before = q.rateBps;
  const upToPs = timePs - p.tieGapPs;
  const increased = stepPlain(q, p, upToPs);
  const bytes = q.bytesCounted + (lenBytes & p.byteMask);
  const isMore = <u32>(q.nextAlphaPs <= upToPs) | <u32>(q.nextIncreasePs <= upToPs) | <u32>(bytes >= p.byteLimit);
  if (isMore | (increased & <u32>(q.rateBps >= p.releaseRateBps))) {
    if (increased && releases(q, p, flags)) flags = release(q, p, flags);
    if (kind == EVENT_SENT) sent(qp, q, p, flags, timePs, lenBytes, before);
    else cnp(qp, q, p, flags, timePs, CAUSE_CNP, before);
    return kind == EVENT_SENT ? OUTCOME_SENT : OUTCOME_CNP_HANDLED;
  }
  q.lastEventPs = timePs;
  if (kind == EVENT_SENT) {
    q.bytesCounted = bytes;
    pace(q, timePs, lenBytes);
    emitRate(timePs, qp, CAUSE_TIME, q.rateBps, before);
    return OUTCOME_SENT;
  }
  cutPlain(q, p, timePs);
  emitRate(timePs, qp, CAUSE_CNP, q.rateBps, before);
  return OUTCOME_CNP_HANDLED;
}

@inline function sentUnlimited(timePs: f64): u32 {
  return isTime(timePs) ? OUTCOME_SENT : OUTCOME_BAD_TIME;
}
