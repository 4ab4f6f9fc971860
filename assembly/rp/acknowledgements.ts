/**
 * The doors of the algorithms that steer by acknowledgements: the same checks as reaction-point.ts, then the algorithm's
 * transition (algorithms/registry.ts), then the new rate to the host.
 */
import { ACK_NO_SIGNAL, ACK_SKIPPED, ALGORITHM_DCQCN, KEPT_HOP_BYTES } from '../../src/abi/ack-layout';
import { CAUSE_ACK, CAUSE_LOSS, CAUSE_TIME, OUTCOME_ACK_APPLIED, OUTCOME_ACK_NOT_USED, OUTCOME_ACK_NO_SIGNAL,
  OUTCOME_BAD_TIME, OUTCOME_LOSS_APPLIED, OUTCOME_LOSS_NOT_USED, OUTCOME_SENT, OUTCOME_TIME_BACKWARDS,
  OUTCOME_UNKNOWN_KIND, OUTCOME_UNKNOWN_QP, QP_LIMITED } from '../../src/abi/codes';
import { QP_BYTES } from '../../src/abi/layout';
import { ackController, loseAtController, openController, sentByController,
  timeAtController } from '../algorithms/registry';
import { emitRate } from '../memory/actions';
import { ackEvents, ackEventBytes, eventCapacity, flagsOf, keptHops, keptHopsPerQp, parameterSetOf, setFlags,
  stateOf } from '../memory/map';
import { QpState } from '../memory/records';
import { clampLate } from '../memory/settings';
import { beginEvent, endEvent, tracing } from '../trace/ring';
import { clampToLast, isTime, openFlags } from './admission';

/** Sets an opened QP to where its algorithm begins; such a QP is under control from the start. */
export function openedQp(qp: u32): void {
  const flags = flagsOf(qp);
  const p = parameterSetOf(flags);
  const q = stateOf(qp);
  memory.fill(changetype<usize>(q), 0, QP_BYTES);
  const hops = hopsOf(qp);
  memory.fill(hops, 0, <usize>keptHopsPerQp * KEPT_HOP_BYTES);
  openController(p.algorithm, changetype<usize>(q), changetype<usize>(p), hops);
  setFlags(qp, flags | QP_LIMITED);
}

/** A data packet of a QP under another algorithm than DCQCN left; its time is checked. */
export function sentPacket(qp: u32, timePs: f64, lenBytes: u32): u32 {
  const q = stateOf(qp);
  const p = parameterSetOf(flagsOf(qp));
  const before = q.rateBps;
  q.lastEventPs = timePs;
  if (tracing) beginEvent(CAUSE_TIME, before);
  timeAtController(p.algorithm, changetype<usize>(q), changetype<usize>(p), hopsOf(qp), timePs);
  sentByController(p.algorithm, changetype<usize>(q), changetype<usize>(p), timePs, lenBytes);
  emitRate(timePs, qp, CAUSE_TIME, q.rateBps, before);
  return OUTCOME_SENT;
}

/** An acknowledgement for this QP arrived; `index`: its AckEvent record. */
export function acknowledgedPacket(qp: u32, timePs: f64, index: u32): u32 {
  const flags = openFlags(qp);
  if (!flags) return OUTCOME_UNKNOWN_QP;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  const p = parameterSetOf(flags);
  if (p.algorithm == ALGORITHM_DCQCN) return OUTCOME_ACK_NOT_USED;
  if (index >= eventCapacity || !ackEventBytes) return OUTCOME_UNKNOWN_KIND;
  return applyAck(qp, timePs, ackEvents + <usize>index * ackEventBytes);
}

/** Applies an acknowledgement for an open QP that reads them; its time can be. `record`: its AckEvent. */
export function applyAck(qp: u32, timePs: f64, record: usize): u32 {
  const p = parameterSetOf(flagsOf(qp));
  const q = stateOf(qp);
  if (isTooLate(q, timePs)) return OUTCOME_TIME_BACKWARDS;
  const effectivePs = effectiveOf(q, timePs);
  const before = q.rateBps;
  if (tracing) beginEvent(CAUSE_ACK, before);
  const result = ackController(p.algorithm, changetype<usize>(q), changetype<usize>(p), hopsOf(qp), record,
    effectivePs);
  if (result == ACK_NO_SIGNAL) return OUTCOME_ACK_NO_SIGNAL;
  q.lastEventPs = effectivePs;
  emitRate(effectivePs, qp, CAUSE_ACK, q.rateBps, before);
  if (tracing) endEvent(effectivePs, qp, q.rateBps);
  return result == ACK_SKIPPED ? OUTCOME_ACK_NOT_USED : OUTCOME_ACK_APPLIED;
}

/** A packet of this QP was lost. */
export function lostPacket(qp: u32, timePs: f64, found: u32): u32 {
  const flags = openFlags(qp);
  if (!flags) return OUTCOME_UNKNOWN_QP;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  const p = parameterSetOf(flags);
  if (p.algorithm == ALGORITHM_DCQCN) return OUTCOME_LOSS_NOT_USED;
  const q = stateOf(qp);
  if (isTooLate(q, timePs)) return OUTCOME_TIME_BACKWARDS;
  const effectivePs = effectiveOf(q, timePs);
  const before = q.rateBps;
  if (tracing) beginEvent(CAUSE_LOSS, before);
  if (!loseAtController(p.algorithm, changetype<usize>(q), changetype<usize>(p), effectivePs, found))
    return OUTCOME_LOSS_NOT_USED;
  q.lastEventPs = effectivePs;
  emitRate(effectivePs, qp, CAUSE_LOSS, q.rateBps, before);
  if (tracing) endEvent(effectivePs, qp, q.rateBps);
  return OUTCOME_LOSS_APPLIED;
}

/** The hops that this QP keeps. */
@inline export function hopsOf(qp: u32): usize {
  return keptHops + <usize>qp * keptHopsPerQp * KEPT_HOP_BYTES;
}

@inline export function isTooLate(q: QpState, timePs: f64): bool {
  return timePs < q.lastEventPs && !clampLate;
}

/** When an event takes effect: late ones at the time of the QP's last event. */
export function effectiveOf(q: QpState, timePs: f64): f64 {
  return timePs >= q.lastEventPs ? timePs : clampToLast(q);
}
