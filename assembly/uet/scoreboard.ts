/**
 * What ACKs do to the packets that a sender has outstanding or to retransmit (docs/specs/uet-reference.md, 5).
 *
 * An acknowledged packet that waited for retransmission was taken out of the bytes in flight when it was queued; as the ACK takes its bytes
 * out again, they are added back here.
 */
import { UetFlow } from '../records/uet-flows';
import { acknowledgeMessage } from './backlog';
import { onRemoved } from './retransmission-timer';
import { isKnown, removeQueued, removeSent, sentOf } from './sent-packets';
import { isMessages } from './settings';

/** All numbers below `end` have arrived. */
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

/** The numbers of a map of 64 bits from `base` on have arrived. */
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
