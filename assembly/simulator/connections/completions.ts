/**
 * Completion of a QP's messages at its sender, in order: a message is complete when its last byte is acknowledged.
 *
 * Counters   events until a message is acknowledged are counted for that message, later ones for the last message; the QP has the
 *            sums
 * End        the QP is done when all messages that it will ever have are done; until then an idle QP keeps its place at its port
 *
 * Source     IBTA vol. 1, 9.7 (work requests of a send queue complete in order).
 */
import { FLOW_DONE, FLOW_OWN_TRANSPORT, SIM_NONE } from '../../../src/abi/sim-codes';
import { rateAt } from '../engine-feed';
import { nowPs } from '../event-queue';
import { messageAcknowledged } from '../graph/ready';
import { flowDone } from '../halt';
import { flowAt, total } from '../network';
import { lossesOf, transportOf } from '../transport/memory';
import { messageOf, streamOf } from './memory';
import { TOTAL_FLOWS_DONE } from '../../records/sim-run';
import { QP_MESSAGE_COUNTED, QP_MESSAGE_DONE, QpMessage } from '../../records/flows';
import { SimFlow } from '../../records/network';

/** Called when the first packet of a message is sent. */
export function beginMessage(flow: SimFlow, message: QpMessage): void {
  message.beganPs = <f64>nowPs;
  message.beganRateBps = rateAt(flow, <f64>nowPs);
}

/** Called when `sndUna` may have advanced. */
export function messagesAcknowledged(flow: SimFlow, number: u32): void {
  const stream = streamOf(number);
  while (stream.acking != SIM_NONE && messageOf(stream.acking).end <= flow.sndUna) {
    const message = messageOf(stream.acking);
    message.flags |= QP_MESSAGE_DONE;
    message.finishPs = <f64>nowPs;
    if (--stream.left) moveCounters(flow, number, message);
    const operation = flowAt(stream.acking).operation;
    stream.acking = message.next;
    flowDone();
    if (operation) messageAcknowledged(operation - 1);
    total(TOTAL_FLOWS_DONE, 1);
    stream.idleSincePs = nowPs;
  }
  if (stream.left) return;
  flow.flags |= FLOW_DONE;
  flow.finishPs = <f64>nowPs;
}

/** Moves the QP's counts so far to this message, so that the next one begins at 0. */
function moveCounters(flow: SimFlow, number: u32, message: QpMessage): void {
  const losses = lossesOf(number);
  message.flags |= QP_MESSAGE_COUNTED;
  message.firstNotificationPs = flow.firstNotificationPs;
  message.retransmitted = flow.retransmitted;
  message.retransmittedBytes = losses.retransmittedBytes;
  message.timeouts = flow.timeouts;
  message.cnps = flow.cnps;
  message.fastCnps = flow.fastCnps;
  message.duplicateNotifications = flow.duplicates;
  message.outOfOrder = losses.outOfOrder;
  message.depth = losses.depth;
  message.duplicates = losses.duplicates;
  message.naks = losses.naks;
  flow.firstNotificationPs = -1;
  flow.retransmitted = 0;
  flow.timeouts = 0;
  flow.cnps = flow.fastCnps = flow.duplicates = 0;
  losses.retransmittedBytes = 0;
  losses.outOfOrder =
    losses.depth =
    losses.duplicates =
    losses.naks =
      0;
  if (!(flow.flags & FLOW_OWN_TRANSPORT)) return;
  const transport = transportOf(number);
  message.sacked = transport.sacked;
  message.beyond = transport.beyond;
  message.discarded = transport.discarded;
  transport.sacked = transport.beyond = transport.discarded = 0;
}
