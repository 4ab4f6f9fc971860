/**
 * The retransmission timer of a sender: one, for the packet that was sent first. The timeout is a constant
 * (docs/specs/uet-reference.md, 5).
 *
 *   start(t)   off: expires at max(t + RTO, now);  running: brought forward if t + RTO is earlier
 *   a packet leaves that was sent at the time remembered: off, and started for the oldest one left
 *
 * Kept of the reference: another packet sent at the same time counts too.
 */
import { UET_FLOW_TIMEOUT, UET_NONE, UetFlow } from '../records/uet-flows';
import { UetEvent } from '../records/uet-run';
import { cancelTimer, nowPs, scheduleTimer } from './events';
import { sentOf } from './sent-packets';
import { timeoutPs } from './settings';

@inline function expiryOf(flow: UetFlow): usize {
  return changetype<usize>(flow) + UET_FLOW_TIMEOUT;
}

/** @param sentPs when the packet was sent. */
export function startTimer(flow: UetFlow, sentPs: f64): void {
  const expiry = expiryOf(flow);
  const duePs = sentPs + timeoutPs;
  if (changetype<UetEvent>(expiry).isListed) {
    if (duePs >= changetype<UetEvent>(expiry).timePs) return;
    cancelTimer(expiry);
  }
  flow.timedPs = sentPs;
  scheduleTimer(expiry, max(duePs, nowPs));
}

export function startForOldest(flow: UetFlow): void {
  if (flow.oldestSeq != <u32>UET_NONE) startTimer(flow, sentOf(flow, flow.oldestSeq).sentPs);
}

/** After a packet was acknowledged or NACKed. @param sentPs when it was sent. */
@inline export function onRemoved(flow: UetFlow, sentPs: f64): void {
  if (sentPs != flow.timedPs) return;
  stopTimer(flow);
  startForOldest(flow);
}

export function stopTimer(flow: UetFlow): void {
  cancelTimer(expiryOf(flow));
}
