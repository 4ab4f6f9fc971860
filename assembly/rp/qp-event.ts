/** Events that concern one QP, by kind. Each causes at most one action; batch/by-algorithm.ts relies on that. */
import { EVENT_ACK, EVENT_CNP, EVENT_CREDIT, EVENT_LOSS, EVENT_NACK, EVENT_SENT, EVENT_TOUCH,
  OUTCOME_UNKNOWN_KIND } from '../../src/abi/codes';
import { fastEvent, FALLBACK } from '../algorithms/dcqcn/fast-event';
import { KNOWS_OTHERS } from '../algorithms/registry';
import { fastCnpEnabled } from '../memory/settings';
import { cnp } from './notifications';
import { ack, credit, loss, nack, sent, touch } from './reaction-point';

/** One bit per kind of event that `qpEvent` handles. */
export const QP_EVENTS: u32 = (1 << EVENT_SENT) | (1 << EVENT_CNP) | (1 << EVENT_TOUCH) | (1 << EVENT_ACK) |
  (1 << EVENT_LOSS) | (1 << EVENT_NACK) | (1 << EVENT_CREDIT);

/**
 * Applies an event, on the fast path for DCQCN's common case, otherwise by the full step; returns its
 * outcome. `value`: length, AckEvent record or LOSS_*, depending on the kind.
 */
@inline export function qpEvent(kind: u32, qp: u32, timePs: f64, value: u32): u32 {
  if (kind == EVENT_SENT || (kind == EVENT_CNP && !fastCnpEnabled)) {
    const outcome = fastEvent(kind, qp, timePs, value);
    if (outcome != FALLBACK) return outcome;
  }
  return fullEvent(kind, qp, timePs, value);
}

/** Applies a single event. The DCQCN-only build uses the full step, to stay small. */
export function singleEvent(kind: u32, qp: u32, timePs: f64, value: u32): u32 {
  return KNOWS_OTHERS ? qpEvent(kind, qp, timePs, value) : fullEvent(kind, qp, timePs, value);
}

/** Applies an event by the full step. */
export function fullEvent(kind: u32, qp: u32, timePs: f64, value: u32): u32 {
  if (kind == EVENT_SENT) return sent(qp, timePs, value);
  if (kind == EVENT_CNP) return cnp(qp, timePs);
  if (KNOWS_OTHERS && kind == EVENT_ACK) return ack(qp, timePs, value);
  if (kind == EVENT_TOUCH) return touch(qp, timePs);
  if (KNOWS_OTHERS && kind == EVENT_LOSS) return loss(qp, timePs, value);
  if (KNOWS_OTHERS && kind == EVENT_NACK) return nack(qp, timePs, value);
  if (KNOWS_OTHERS && kind == EVENT_CREDIT) return credit(qp, timePs, value);
  return OUTCOME_UNKNOWN_KIND;
}
