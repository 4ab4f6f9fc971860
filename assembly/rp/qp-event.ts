/** An event that concerns one QP, by its kind. Each tells the host one thing at most: by-algorithm.ts rests on that. */
import { EVENT_ACK, EVENT_CNP, EVENT_LOSS, EVENT_SENT, EVENT_TOUCH, OUTCOME_UNKNOWN_KIND } from '../../src/abi/codes';
import { acknowledged, lost } from './doors';
import { cnpReceived } from './notifications';
import { sent, touched } from './reaction-point';

/** Bit = kind of event that `qpEvent` knows. */
export const QP_EVENTS: u32 = (1 << EVENT_SENT) | (1 << EVENT_CNP) | (1 << EVENT_TOUCH) | (1 << EVENT_ACK) |
  (1 << EVENT_LOSS);

/** Applies it; returns its outcome. `value`: length, AckEvent or LOSS_*, as the kind has it. */
export function qpEvent(kind: u32, qp: u32, timePs: f64, value: u32): u32 {
  if (kind == EVENT_SENT) return sent(qp, timePs, value);
  if (kind == EVENT_CNP) return cnpReceived(qp, timePs);
  if (kind == EVENT_TOUCH) return touched(qp, timePs);
  if (kind == EVENT_ACK) return acknowledged(qp, timePs, value);
  if (kind == EVENT_LOSS) return lost(qp, timePs, value);
  return OUTCOME_UNKNOWN_KIND;
}
