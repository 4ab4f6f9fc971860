/**
 * The retransmission timer of a sender, for its oldest outstanding packet. The timeout is constant
 * (docs/specs/uet-reference.md, 5).
 *
 *   start(t)   off: expires at max(t + RTO, now);  running: brought forward if t + RTO is earlier
 *   the packet for which it was started is removed: off, then started for the oldest remaining packet
 *
 * As in the reference, the packet is identified by its send time, so another one sent at the same time also counts.
 */
import { UET_FLOW_TIMEOUT, UET_NONE, UetFlow } from '../records/uet-flows';
import { UetEvent } from '../records/uet-run';
import { cancelTimer, nowPs, scheduleTimer } from './events';
import { sentOf } from './sent-packets';
import { timeoutPs } from './settings';

@inline function expiryOf(flow: UetFlow): usize {
  return changetype<usize>(flow) + UET_FLOW_TIMEOUT;
}

/** @param sentPs time when the packet was sent. */
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

/** Called after a packet was acknowledged or NACKed. @param sentPs time when it was sent. */
@inline export function onRemoved(flow: UetFlow, sentPs: f64): void {
  if (sentPs != flow.timedPs) return;
  stopTimer(flow);
  startForOldest(flow);
}

export function stopTimer(flow: UetFlow): void {
  cancelTimer(expiryOf(flow));
}
