/**
 * Events of a QP whose algorithm is in the table (registry.ts): calls the transition, then reports the new rate to the host
 * and to the trace. The caller has checked that the event may be applied (rp/reaction-point.ts).
 */
import { ACK_NO_SIGNAL, KEPT_HOP_BYTES, LOSS_FAST } from '../../src/abi/ack-layout';
import { CAUSE_ACK, CAUSE_LOSS, CAUSE_TIME, QP_LIMITED } from '../../src/abi/codes';
import { QP_BYTES } from '../../src/abi/layout';
import { emitRate } from '../memory/actions';
import { flagsOf, hopsOf, keptHopsPerQp, parameterSetOf, setFlags, stateOf } from '../memory/map';
import { ParameterSet, QpState } from '../memory/records';
import { beginEvent, endEvent, TRACING, tracing } from '../trace/ring';
import { callAck, callCnp, callCredit, callLoss, callNack, callOpen, callSent, callTouch,
  callTouchBefore } from './registry';

/** Initialises an opened QP for its algorithm; such a QP is limited from the start. */
export function open(qp: u32): void {
  const flags = flagsOf(qp);
  const p = parameterSetOf(flags);
  const q = changetype<usize>(stateOf(qp));
  memory.fill(q, 0, QP_BYTES);
  const hops = hopsOf(qp);
  memory.fill(hops, 0, <usize>keptHopsPerQp * KEPT_HOP_BYTES);
  callOpen(p.algorithm, q, changetype<usize>(p), hops);
  setFlags(qp, flags | QP_LIMITED);
}

/** Applies a sent data packet. */
export function sent(qp: u32, q: QpState, p: ParameterSet, timePs: f64, lenBytes: u32): void {
  const before = begin(CAUSE_TIME, q);
  callSent(p.algorithm, changetype<usize>(q), changetype<usize>(p), hopsOf(qp), timePs, lenBytes);
  resolve(qp, q, timePs, CAUSE_TIME, before);
}

/** Applies everything that is due up to and including `timePs`. */
export function touch(qp: u32, q: QpState, p: ParameterSet, timePs: f64): void {
  const before = begin(CAUSE_TIME, q);
  callTouch(p.algorithm, changetype<usize>(q), changetype<usize>(p), hopsOf(qp), timePs);
  resolve(qp, q, timePs, CAUSE_TIME, before);
}

/** Applies timers that precede an event of the same instant, which was scheduled at `sincePs`. */
export function touchBefore(qp: u32, q: QpState, p: ParameterSet, timePs: f64, sincePs: f64): void {
  begin(CAUSE_TIME, q);
  callTouchBefore(p.algorithm, changetype<usize>(q), changetype<usize>(p), hopsOf(qp), timePs, sincePs);
}

/** Applies an ACK. @returns ACK_*, with ACK_RATE_SET if HPCC or one of its variants set the rate. */
export function ack(qp: u32, q: QpState, p: ParameterSet, timePs: f64, record: usize): u32 {
  const before = begin(CAUSE_ACK, q);
  const result = callAck(p.algorithm, changetype<usize>(q), changetype<usize>(p), hopsOf(qp), record, timePs);
  if (result != ACK_NO_SIGNAL) resolve(qp, q, timePs, CAUSE_ACK, before);
  return result;
}

/** Applies a CNP or Fast CNP, for an algorithm that reads them. @returns like `ack`. */
export function cnp(qp: u32, q: QpState, p: ParameterSet, timePs: f64, cause: u32, record: usize): u32 {
  const before = begin(cause, q);
  const result = callCnp(p.algorithm, changetype<usize>(q), changetype<usize>(p), hopsOf(qp), record, timePs, cause);
  if (result != ACK_NO_SIGNAL) resolve(qp, q, timePs, cause, before);
  return result;
}

/** Applies a loss; `found`: LOSS_*. @returns false if the algorithm does not react to losses. */
export function loss(qp: u32, q: QpState, p: ParameterSet, timePs: f64, found: u32): bool {
  const before = begin(CAUSE_LOSS, q);
  if (!callLoss(p.algorithm, changetype<usize>(q), changetype<usize>(p), hopsOf(qp), timePs, found)) return false;
  resolve(qp, q, timePs, CAUSE_LOSS, before);
  return true;
}

/** Applies a NACK for a trimmed packet; `record`: the NACK's. Algorithms without NACKs treat it as a loss. Returns like `loss`. */
export function nack(qp: u32, q: QpState, p: ParameterSet, timePs: f64, record: usize): bool {
  const before = begin(CAUSE_LOSS, q);
  const hops = hopsOf(qp);
  if (!callNack(p.algorithm, changetype<usize>(q), changetype<usize>(p), hops, record, timePs))
    return loss(qp, q, p, timePs, LOSS_FAST);
  resolve(qp, q, timePs, CAUSE_LOSS, before);
  return true;
}

/** Applies credit, for an algorithm that reads it; `record`: the credit's. It changes no rate. @returns false unless the pull number is newer. */
export function credit(qp: u32, q: QpState, p: ParameterSet, timePs: f64, record: usize): bool {
  q.lastEventPs = timePs;
  return callCredit(p.algorithm, changetype<usize>(q), changetype<usize>(p), hopsOf(qp), record);
}

/** @returns the rate last reported to the host. */
@inline function begin(cause: u32, q: QpState): f64 {
  if (TRACING && tracing) beginEvent(cause, q.rateBps);
  return q.rateBps;
}

@inline function resolve(qp: u32, q: QpState, timePs: f64, cause: u32, beforeBps: f64): void {
  q.lastEventPs = timePs;
  emitRate(timePs, qp, cause, q.rateBps, beforeBps);
  if (TRACING && tracing) endEvent(timePs, qp, q.rateBps);
}
