/**
 * The reaction point: checks that an event may be applied to a QP, and passes it to the QP's algorithm: DCQCN, whose events
 * are compiled in, or one from the table (algorithms/registry.ts).
 *
 * For a QP without a limiter, sent and touch events change nothing, so its record is not even read.
 */
import { ACK_NO_SIGNAL, ACK_RESULT_MASK, ACK_SKIPPED } from '../../src/abi/ack-layout';
import { OUTCOME_ACK_APPLIED, OUTCOME_ACK_NOT_USED, OUTCOME_ACK_NO_SIGNAL, OUTCOME_BAD_TIME, OUTCOME_CNP_HANDLED,
  OUTCOME_CNP_NOT_USED, OUTCOME_CREDIT_APPLIED, OUTCOME_CREDIT_NOT_USED, OUTCOME_LOSS_APPLIED, OUTCOME_LOSS_NOT_USED,
  OUTCOME_SENT, OUTCOME_TIME_BACKWARDS, OUTCOME_TOUCHED, OUTCOME_UNKNOWN_KIND, OUTCOME_UNKNOWN_QP,
  QP_LIMITED } from '../../src/abi/codes';
import * as table from '../algorithms/by-table';
import { asDcqcn } from '../algorithms/dcqcn/record';
import * as dcqcn from '../algorithms/dcqcn/transitions';
import { isBuiltIn, readsCnps, readsCredit } from '../algorithms/registry';
import { admit, isTime, openFlags } from '../memory/admission';
import { ackEvents, ackEventBytes, eventCapacity, flagsOf, parameterSetOf, stateOf } from '../memory/map';

/** Why `enter` returned 0. */
let rejected: u32 = OUTCOME_UNKNOWN_QP;

/** Flags of the QP if it is open and the time valid; otherwise 0, with the outcome in `rejected`. */
@inline function enter(qp: u32, timePs: f64): u32 {
  const flags = openFlags(qp);
  rejected = flags ? OUTCOME_BAD_TIME : OUTCOME_UNKNOWN_QP;
  return isTime(timePs) ? flags : 0;
}

/** A data packet of this QP was sent. */
export function sent(qp: u32, timePs: f64, lenBytes: u32): u32 {
  const flags = enter(qp, timePs);
  if (!flags) return rejected;
  if (!(flags & QP_LIMITED)) return OUTCOME_SENT;
  const q = stateOf(qp);
  const effectivePs = admit(q, timePs);
  if (isNaN(effectivePs)) return OUTCOME_TIME_BACKWARDS;
  const p = parameterSetOf(flags);
  if (isBuiltIn(p.algorithm)) dcqcn.sent(qp, q, asDcqcn(p), flags, effectivePs, lenBytes, q.rateBps);
  else table.sent(qp, q, p, effectivePs, lenBytes);
  return OUTCOME_SENT;
}

/** Applies a CNP, or a Fast CNP that passed its checks (notifications.ts): `cause` is its kind, `record` its telemetry. */
export function applyCnp(qp: u32, timePs: f64, cause: u32, record: usize): u32 {
  const flags = enter(qp, timePs);
  if (!flags) return rejected;
  const p = parameterSetOf(flags);
  if (!isBuiltIn(p.algorithm) && !readsCnps(p.algorithm)) return OUTCOME_CNP_NOT_USED;
  const q = stateOf(qp);
  const effectivePs = admit(q, timePs);
  if (isNaN(effectivePs)) return OUTCOME_TIME_BACKWARDS;
  if (!isBuiltIn(p.algorithm)) {
    const result = table.cnp(qp, q, p, effectivePs, cause, record) & ACK_RESULT_MASK;
    return result == ACK_NO_SIGNAL || result == ACK_SKIPPED ? OUTCOME_CNP_NOT_USED : OUTCOME_CNP_HANDLED;
  }
  dcqcn.cnp(qp, q, asDcqcn(p), flags, effectivePs, cause, q.rateBps);
  return OUTCOME_CNP_HANDLED;
}

/** Applies everything due up to and including `timePs`. */
export function touch(qp: u32, timePs: f64): u32 {
  const flags = enter(qp, timePs);
  if (!flags) return rejected;
  if (!(flags & QP_LIMITED)) return OUTCOME_TOUCHED;
  const q = stateOf(qp);
  const effectivePs = admit(q, timePs);
  if (isNaN(effectivePs)) return OUTCOME_TIME_BACKWARDS;
  const p = parameterSetOf(flags);
  if (isBuiltIn(p.algorithm)) dcqcn.touch(qp, q, asDcqcn(p), flags, effectivePs);
  else table.touch(qp, q, p, effectivePs);
  return OUTCOME_TOUCHED;
}

/** Like `touch`, but skips a QP that is already beyond `timePs`, under any policy for late events. */
export function advance(qp: u32, timePs: f64): void {
  if (openFlags(qp) & QP_LIMITED && timePs >= stateOf(qp).lastEventPs) touch(qp, timePs);
}

/** An ACK for this QP arrived; `index`: its AckEvent record. */
export function ack(qp: u32, timePs: f64, index: u32): u32 {
  const flags = enter(qp, timePs);
  if (!flags) return rejected;
  if (isBuiltIn(parameterSetOf(flags).algorithm)) return OUTCOME_ACK_NOT_USED;
  if (index >= eventCapacity || !ackEventBytes) return OUTCOME_UNKNOWN_KIND;
  return applyAck(qp, timePs, ackEvents + <usize>index * ackEventBytes);
}

/** Applies an ACK to an open QP whose algorithm reads ACKs, at a valid time. `record`: its AckEvent. */
export function applyAck(qp: u32, timePs: f64, record: usize): u32 {
  const q = stateOf(qp);
  const effectivePs = admit(q, timePs);
  if (isNaN(effectivePs)) return OUTCOME_TIME_BACKWARDS;
  const result = table.ack(qp, q, parameterSetOf(flagsOf(qp)), effectivePs, record) & ACK_RESULT_MASK;
  if (result == ACK_NO_SIGNAL) return OUTCOME_ACK_NO_SIGNAL;
  return result == ACK_SKIPPED ? OUTCOME_ACK_NOT_USED : OUTCOME_ACK_APPLIED;
}

/** A packet of this QP was lost; `found`: LOSS_*. */
export function loss(qp: u32, timePs: f64, found: u32): u32 {
  const flags = enter(qp, timePs);
  if (!flags) return rejected;
  const p = parameterSetOf(flags);
  if (isBuiltIn(p.algorithm)) return OUTCOME_LOSS_NOT_USED;
  const q = stateOf(qp);
  const effectivePs = admit(q, timePs);
  if (isNaN(effectivePs)) return OUTCOME_TIME_BACKWARDS;
  return table.loss(qp, q, p, effectivePs, found) ? OUTCOME_LOSS_APPLIED : OUTCOME_LOSS_NOT_USED;
}

/** A NACK for this QP arrived: a switch trimmed a packet. `index`: its AckEvent record. */
export function nack(qp: u32, timePs: f64, index: u32): u32 {
  const flags = enter(qp, timePs);
  if (!flags) return rejected;
  if (isBuiltIn(parameterSetOf(flags).algorithm)) return OUTCOME_LOSS_NOT_USED;
  if (index >= eventCapacity || !ackEventBytes) return OUTCOME_UNKNOWN_KIND;
  const q = stateOf(qp);
  const effectivePs = admit(q, timePs);
  if (isNaN(effectivePs)) return OUTCOME_TIME_BACKWARDS;
  const record = ackEvents + <usize>index * ackEventBytes;
  return table.nack(qp, q, parameterSetOf(flags), effectivePs, record) ? OUTCOME_LOSS_APPLIED : OUTCOME_LOSS_NOT_USED;
}

/** Credit for this QP arrived. `index`: its AckEvent record. */
export function credit(qp: u32, timePs: f64, index: u32): u32 {
  const flags = enter(qp, timePs);
  if (!flags) return rejected;
  const p = parameterSetOf(flags);
  if (!readsCredit(p.algorithm)) return OUTCOME_CREDIT_NOT_USED;
  if (index >= eventCapacity || !ackEventBytes) return OUTCOME_UNKNOWN_KIND;
  const q = stateOf(qp);
  const effectivePs = admit(q, timePs);
  if (isNaN(effectivePs)) return OUTCOME_TIME_BACKWARDS;
  const record = ackEvents + <usize>index * ackEventBytes;
  return table.credit(qp, q, p, effectivePs, record) ? OUTCOME_CREDIT_APPLIED : OUTCOME_CREDIT_NOT_USED;
}
