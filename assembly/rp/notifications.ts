/**
 * Congestion notifications at the sender: ordinary CNPs identify the QP, Fast CNPs the flow.
 *
 * A Fast CNP is checked in this order (draft-xiao-rtgwg-rocev2-fast-cnp-01, sections 4 and 5): enabled; source allowed by
 * the access list; option well formed; flow (endpoint, original destination, destination QPN) known; time valid and in
 * order; not a duplicate; then the reaction, the same as to a CNP. Each rejection has its own outcome.
 *
 * Duplicates: a switch that does not know whether a sender understands Fast CNPs may send one and also mark CE
 * (section 4), so the same congestion is reported twice. A Fast CNP is a duplicate if the QP reacted to any
 * notification less than a window ago; a CNP, if it reacted to a Fast CNP less than a window ago. The flow entry
 * stores the last accepted notification as 2 (t + 1) for a Fast CNP, 2 (t + 1) + 1 for a CNP, 0 for none: below 2^55, so that
 * its highest byte is always 0 (assembly/table/address-table.ts). Fast CNPs with hops that the QP's algorithm reads
 * (HPCC++) are never duplicates of one another: each has new data.
 */
import { ACTION_FAST_CNP_ACCEPTED, ACTION_FAST_CNP_REJECTED, CAUSE_CNP, CAUSE_FAST_CNP, NONE, ORIGIN_NETWORK,
  ORIGIN_RECEIVER, OUTCOME_CNP_DUPLICATE, OUTCOME_CNP_HANDLED, OUTCOME_FAST_CNP_ACCEPTED, OUTCOME_FAST_CNP_DENIED,
  OUTCOME_FAST_CNP_DISABLED, OUTCOME_FAST_CNP_DUPLICATE, OUTCOME_FAST_CNP_UNKNOWN_FLOW } from '../../src/abi/codes';
import { FLOW_STAMP } from '../../src/abi/layout';
import { emit } from '../memory/actions';
import { effectiveTime, isTime, openFlags } from '../memory/admission';
import { flowEntries, stateOf } from '../memory/map';
import { duplicateWindowPs, fastCnpEnabled } from '../memory/settings';
import { KNOWS_OTHERS } from '../algorithms/registry';
import { isAllowed } from '../table/access-list';
import { qpOfFlow } from '../table/flow-table';
import { applyCnp } from './reaction-point';
import { fastCnpHops } from './traces';

/** Bit of a flow entry's stamp: the last notification was a CNP. */
const OF_CNP: i64 = 1;

/** Handles an ordinary CNP for this QP. */
export function cnp(qp: u32, timePs: f64): u32 {
  if (!fastCnpEnabled || !openFlags(qp)) return applyCnp(qp, timePs, CAUSE_CNP, 0);
  const entry = load<u32>(flowEntries + (<usize>qp << 2));
  const stamp = load<i64>(entry, FLOW_STAMP);
  const effectivePs = reactionTime(qp, timePs);
  if (stamp && !(stamp & OF_CNP) && isRepeated(stamp, effectivePs)) return OUTCOME_CNP_DUPLICATE;
  const outcome = applyCnp(qp, timePs, CAUSE_CNP, 0);
  if (outcome == OUTCOME_CNP_HANDLED) store<i64>(entry, stampOf(effectivePs) | OF_CNP, FLOW_STAMP);
  return outcome;
}

/** The first two checks: OUTCOME_FAST_CNP_ACCEPTED if both pass. `source`: address of the 16 bytes. */
@inline export function admitFastCnp(source: usize): u32 {
  if (!fastCnpEnabled) return OUTCOME_FAST_CNP_DISABLED;
  return isAllowed(source) ? OUTCOME_FAST_CNP_ACCEPTED : OUTCOME_FAST_CNP_DENIED;
}

/** The checks after the lookup, and the reaction; `entry`: flow table entry or 0; `trace`: see `fastCnpHops`. */
export function fastCnp(entry: usize, timePs: f64, trace: usize, traceBytes: u32): u32 {
  if (!entry) return OUTCOME_FAST_CNP_UNKNOWN_FLOW;
  const qp = qpOfFlow(entry);
  const stamp = load<i64>(entry, FLOW_STAMP);
  const effectivePs = reactionTime(qp, timePs);
  const record = KNOWS_OTHERS ? fastCnpHops(qp, trace, traceBytes) : 0;
  const repeatable = record ? stamp & OF_CNP : stamp;
  if (repeatable && isRepeated(stamp, effectivePs)) return OUTCOME_FAST_CNP_DUPLICATE;
  const outcome = applyCnp(qp, timePs, CAUSE_FAST_CNP, record);
  if (outcome != OUTCOME_CNP_HANDLED) return outcome;
  store<i64>(entry, stampOf(effectivePs), FLOW_STAMP);
  return OUTCOME_FAST_CNP_ACCEPTED;
}

/** Stamp of a notification, without its kind in the lowest bit: 2 (t + 1), in whole picoseconds. */
@inline function stampOf(effectivePs: f64): i64 {
  return (<i64>effectivePs + 1) << 1;
}

/** Whether the notification with this stamp is less than a window old. */
@inline function isRepeated(stamp: i64, effectivePs: f64): bool {
  return effectivePs - <f64>((stamp >> 1) - 1) < duplicateWindowPs;
}

/** Time at which a notification takes effect at an open QP; NaN if its time will be rejected. */
@inline function reactionTime(qp: u32, timePs: f64): f64 {
  return isTime(timePs) ? effectiveTime(stateOf(qp), timePs) : NaN;
}

/** Reports the outcome of a Fast CNP to the host; `index`: its event or frame in the batch. */
@inline export function reportFastCnp(outcome: u32, timePs: f64, qp: u32, fromReceiver: bool, index: u32): void {
  if (outcome == OUTCOME_FAST_CNP_ACCEPTED) {
    emit(timePs, qp, ACTION_FAST_CNP_ACCEPTED, fromReceiver ? ORIGIN_RECEIVER : ORIGIN_NETWORK, index);
  } else {
    emit(timePs, NONE, ACTION_FAST_CNP_REJECTED, outcome, index);
  }
}
