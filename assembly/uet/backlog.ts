/**
 * The bytes that a sender has not sent yet: a flow of one size, or messages of a reused connection
 * (docs/specs/uet-reference.md, 2 and 10).
 *
 *   flow      bytes = ceil(size / payload) * 64 + size;   a packet takes min(mtu, bytes), so the last one is not padded
 *   message   a packet takes min(rest of the message, payload) + 64: no packet carries two messages, so it may be smaller than
 *             the min(mtu, backlog) of the window test
 *
 * A message starts with its first packet, and finishes with the ACK that covers its last missing packet.
 */
import { UET_MESSAGE_BYTES, UET_NONE, UetFlow, UetMessage, UetSent } from '../records/uet-flows';
import { nowPs } from './events';
import { HEADER_BYTES } from './packets';
import { sentOf } from './sent-packets';
import { isMessages, mtuBytes, payloadBytes } from './settings';
import { run } from './stop';

@inline function messageAt(index: u32): UetMessage {
  return changetype<UetMessage>(<usize>run.messagesAt + <usize>index * UET_MESSAGE_BYTES);
}

/** Size of the next new packet, for the window test. */
@inline export function nextBytesOf(flow: UetFlow): f64 {
  return min(mtuBytes, flow.backlogBytes);
}

/** Removes the next new packet, and returns its bytes. */
export function takeFromBacklog(flow: UetFlow, seq: u32): u32 {
  if (isMessages) return takeOfMessage(flow, seq);
  const bytes = nextBytesOf(flow);
  flow.backlogBytes -= bytes;
  return <u32>bytes;
}

function takeOfMessage(flow: UetFlow, seq: u32): u32 {
  const index = flow.firstMessage + flow.messagesSent;
  const message = messageAt(index);
  const payload = min(message.unsentBytes, payloadBytes);
  if (message.firstSeq == <u32>UET_NONE) {
    message.firstSeq = seq;
    message.startPs = nowPs;
  }
  message.lastSeq = seq;
  message.unsentBytes -= payload;
  if (message.unsentBytes == 0) flow.messagesSent++;
  const bytes = <u32>payload + HEADER_BYTES;
  const sent = sentOf(flow, seq);
  sent.message = index + 1;
  sent.wireBytes = <u16>bytes;
  flow.backlogBytes -= <f64>bytes;
  return bytes;
}

/** Called when a packet of a message is acknowledged, possibly by several ACKs. */
export function acknowledgeMessage(flow: UetFlow, sent: UetSent): void {
  if (!sent.message || sent.isAcknowledged) return;
  sent.isAcknowledged = 1;
  flow.acknowledgedBytes += <f64>sent.wireBytes;
  const message = messageAt(sent.message - 1);
  message.unacknowledgedPackets -= 1;
  if (message.unacknowledgedPackets == 0) message.finishPs = nowPs;
}

/** Adds the messages that are due, by time, then line. */
export function addDueMessages(flow: UetFlow): void {
  while (flow.messagesDue < flow.messages) {
    const message = messageAt(flow.firstMessage + flow.messagesDue);
    if (message.duePs > nowPs) return;
    flow.messagesDue++;
    flow.backlogBytes += message.wireBytes;
    flow.totalBytes += message.wireBytes;
  }
}

/** Whether an ACK finishes the flow. */
export function isFinishedBy(flow: UetFlow, cumulative: u32): bool {
  if (isMessages) return flow.acknowledgedBytes == flow.totalBytes;
  return (<f64>cumulative - flow.requestsToSend) * payloadBytes >= flow.sizeBytes;
}
