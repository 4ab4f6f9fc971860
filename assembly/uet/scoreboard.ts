/**
 * Applies ACKs to a sender's outstanding packets and those waiting for retransmission (docs/specs/uet-reference.md, 5).
 *
 * Queuing a packet for retransmission subtracts its bytes from those in flight. If it is acknowledged while it waits, the ACK
 * subtracts them a second time, so they are added back here.
 */
import { UetFlow } from '../records/uet-flows';
import { acknowledgeMessage } from './backlog';
import { onRemoved } from './retransmission-timer';
import { isKnown, removeQueued, removeSent, sentOf } from './sent-packets';
import { isMessages } from './settings';

/** Acknowledges all numbers below `end`. */
export function acknowledgeBelow(flow: UetFlow, end: u32): void {
  while (flow.queuedCount && flow.queuedFirst < end) flow.inFlightBytes += <f64>removeQueued(flow, flow.queuedFirst);
  for (let seq = flow.lowestSeq; seq < end; seq++) {
    const sent = sentOf(flow, seq);
    if (sent.sizeBytes) {
      removeSent(flow, seq, sent);
      onRemoved(flow, sent.sentPs);
    }
    if (isMessages) acknowledgeMessage(flow, sent);
  }
  if (end > flow.lowestSeq) flow.lowestSeq = end;
}

/** Acknowledges the numbers whose bits are set in a 64-bit map that starts at `base`. */
export function acknowledgeMapped(flow: UetFlow, base: u32, map: u64): void {
  for (let rest = map; rest; rest &= rest - 1) {
    const seq = base + <u32>ctz(rest);
    if (!isKnown(flow, seq)) continue;
    const sent = sentOf(flow, seq);
    if (sent.sizeBytes) {
      removeSent(flow, seq, sent);
      onRemoved(flow, sent.sentPs);
    } else {
      flow.inFlightBytes += <f64>removeQueued(flow, seq);
    }
    if (isMessages) acknowledgeMessage(flow, sent);
  }
}
