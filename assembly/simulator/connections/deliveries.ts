/** The receiver of a QP with several messages: whole packets advance the expected byte, and messages complete in order. */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { messageDelivered } from '../graph/ready';
import { flowAt, total } from '../network';
import { startDependents } from '../sender';
import { messageOf, streamOf } from './memory';
import { TOTAL_DELIVERED } from '../../records/sim-run';
import { QP_MESSAGE_RECEIVED, QpStream } from '../../records/flows';
import { SimFlow } from '../../records/network';

/** Accepts everything before this sequence number, and counts its bytes. */
export function accept(flow: SimFlow, end: i64): void {
  const bytes = <f64>(end - flow.expected - unusedUpTo(streamOf(flow.qp), end));
  flow.expected = end;
  flow.delivered += bytes;
  total(TOTAL_DELIVERED, bytes);
}

/** Number of unused sequence numbers between the expected one and an end. */
function unusedUpTo(stream: QpStream, end: i64): i64 {
  let unused: i64 = 0;
  let number = stream.receiving;
  while (number != SIM_NONE && messageOf(number).end <= end) {
    const message = messageOf(number);
    unused += message.end - message.first - message.sizeBytes;
    number = message.next;
  }
  return unused;
}

/** Completes the messages whose last byte has arrived. */
export function completeMessages(flow: SimFlow): void {
  const stream = streamOf(flow.qp);
  while (stream.receiving != SIM_NONE && messageOf(stream.receiving).end <= flow.expected) {
    const number = stream.receiving;
    const message = messageOf(number);
    message.flags |= QP_MESSAGE_RECEIVED;
    stream.receiving = message.next;
    const own = flowAt(number);
    if (own.operation) messageDelivered(own.operation - 1);
    startDependents(own);
  }
}
