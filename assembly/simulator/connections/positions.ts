/**
 * Sequence numbers of a QP with several messages. They are PSN * MTU: each message begins at a whole packet, and the last packet of a
 * message may be short, which leaves sequence numbers unused.
 *
 *   bytes up to s = s - (unused numbers of earlier messages than the one that contains s)
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { messageOf, streamOf } from './memory';
import { FLOW_CONNECTION, QpMessage, QpStream } from '../../records/flows';
import { SimFlow, SimPacket } from '../../records/network';
import { TRACE_MESSAGES_BEFORE_SHIFT, TRACE_MESSAGE_FIRST_SHIFT,
  TRACE_MESSAGE_LAST_SHIFT } from '../../records/packet-trace';

/** The message of a sequence number not below the first unacknowledged one; after all posted data, the last message. */
export function messageAt(stream: QpStream, sequence: i64): QpMessage {
  let number = stream.sending;
  // If the sender went back, search from the oldest unacknowledged message.
  if (number == SIM_NONE || messageOf(number).first > sequence) number = stream.acking;
  let message = messageOf(number);
  while (message.end <= sequence && message.next != SIM_NONE) {
    number = message.next;
    message = messageOf(number);
  }
  stream.sending = number;
  return message;
}

/** A packet's message as written to the trace, TRACE_MESSAGE. */
export function placeInMessages(flow: SimFlow, packet: SimPacket): u32 {
  const sequence = packet.sequence;
  const message = anyMessageAt(streamOf(flow.qp), sequence);
  const isAfter = sequence >= message.end;
  const isFirst = sequence == message.first;
  const isLast = !isAfter && sequence + <i64>flow.mtuBytes >= message.end;
  const before = message.ordinal + <u32>isAfter;
  return 1 | (<u32>isFirst << TRACE_MESSAGE_FIRST_SHIFT) | (<u32>isLast << TRACE_MESSAGE_LAST_SHIFT) |
    (before << TRACE_MESSAGES_BEFORE_SHIFT);
}

/** The message of any sequence number; packets in flight may belong to acknowledged messages. */
function anyMessageAt(stream: QpStream, sequence: i64): QpMessage {
  const isRecent = stream.sending != SIM_NONE && messageOf(stream.sending).first <= sequence;
  let message = messageOf(isRecent ? stream.sending : stream.first);
  while (message.end <= sequence && message.next != SIM_NONE) message = messageOf(message.next);
  return message;
}

/** Whether the next packet belongs to one of the `most` oldest unacknowledged messages of its QP. */
export function isInOldest(flow: SimFlow, most: u32): bool {
  const stream = streamOf(flow.qp);
  if (stream.acking == SIM_NONE) return true;
  return messageAt(stream, flow.sndNxt).ordinal - messageOf(stream.acking).ordinal < most;
}

/** Payload of the next packet. */
export function nextPayload(flow: SimFlow, message: QpMessage): u32 {
  return <u32>min<i64>(message.first + message.sizeBytes - flow.sndNxt, <i64>flow.mtuBytes);
}

/** Bytes of any flow that are sent and not acknowledged. */
@inline export function bytesInFlight(flow: SimFlow): i64 {
  return flow.flags & FLOW_CONNECTION ? bytesOfMessages(flow) : flow.sndNxt - flow.sndUna;
}

function bytesOfMessages(flow: SimFlow): i64 {
  const stream = streamOf(flow.qp);
  if (stream.acking == SIM_NONE) return 0;
  const unused = messageAt(stream, flow.sndNxt).padding - messageOf(stream.acking).padding;
  return flow.sndNxt - flow.sndUna - unused;
}
