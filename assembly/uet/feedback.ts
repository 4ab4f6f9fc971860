/**
 * How a sender handles ACKs, NACKs and pulls (docs/specs/uet-reference.md, 5).
 *
 * As in the reference, the delay of a NACK is measured from the latest copy sent.
 */
import { UET_NONE, UetFlow } from '../records/uet-flows';
import { UET_PACKET_ACK, UET_PACKET_NACK, UetPacket } from '../records/uet-network';
import { isFinishedBy } from './backlog';
import { pullCredit, stopSpeculating } from './credit';
import { nowPs } from './events';
import { acknowledgeBytes, updateAverage, updateBaseRtt } from './flow-state';
import { deliverPacket } from './packets';
import { ECN, GOOD, NACKED, pathFeedback } from './paths';
import { onRemoved, stopTimer } from './retransmission-timer';
import { acknowledgeBelow, acknowledgeMapped } from './scoreboard';
import { queueAgain, trySend } from './sending';
import { isOutstanding, removeSent, sentOf } from './sent-packets';
import { isBaseRttFromNacks, isSleek } from './settings';
import { delayOfProbe, isOfLastProbe, recoverOnAck } from './sleek';
import { fireTrigger } from './triggers';
import { controlOnAck, controlOnNack } from './window-control';

/** A packet arrives at the sender's host. */
export function receiveFeedback(flow: UetFlow, packet: UetPacket): void {
  if (packet.kind == UET_PACKET_ACK) onAck(flow, packet);
  else if (packet.kind == UET_PACKET_NACK) onNack(flow, packet);
  else onPull(flow, packet);
  deliverPacket(packet);
}

function onAck(flow: UetFlow, ack: UetPacket): void {
  const isMarked = ack.isMarked != 0;
  flow.acks += 1;
  if (isMarked) flow.echoes += 1;
  const bytes = max(0, ack.number - flow.receivedReport);
  flow.receivedReport += bytes;
  acknowledgeBytes(flow, bytes);
  const delayPs = delayOf(flow, ack);
  acknowledgeBelow(flow, ack.cumulative);
  if (ack.map) acknowledgeMapped(flow, ack.mapBase, ack.map);
  pathFeedback(flow, ack.ev, isMarked ? ECN : GOOD);
  controlOnAck(flow, isMarked, delayPs, bytes);
  if (isSleek) recoverOnAck(flow, ack, delayPs);
  stopSpeculating(flow);
  finishAt(flow, ack.cumulative);
  if (flow.finishPs < 0) trySend(flow);
}

/** Measures the delay of the acknowledged packet; if that is impossible, returns the average. */
function delayOf(flow: UetFlow, ack: UetPacket): f64 {
  if (isSleek && isOfLastProbe(flow, ack)) return delayOfProbe(flow, ack);
  if (ack.isProbe || !isOutstanding(flow, ack.seq)) return flow.averageDelayPs;
  const sent = sentOf(flow, ack.seq);
  if (sent.copies != ack.isRetransmission) return flow.averageDelayPs;
  const rawPs = nowPs - sent.sentPs;
  if (!ack.isForRts) updateBaseRtt(flow, rawPs);
  if (rawPs < flow.baseRttPs) return flow.averageDelayPs;
  const delayPs = rawPs - flow.baseRttPs;
  updateAverage(flow, delayPs, ack.isMarked != 0);
  return delayPs;
}

function finishAt(flow: UetFlow, cumulative: u32): void {
  if (flow.finishPs >= 0 || !isFinishedBy(flow, cumulative)) return;
  flow.finishPs = nowPs;
  if (flow.doneTrigger != <u32>UET_NONE) fireTrigger(flow.doneTrigger);
  stopTimer(flow);
}

function onNack(flow: UetFlow, nack: UetPacket): void {
  const seq = nack.seq;
  const isLastHop = nack.isTrimmedAtLastHop != 0;
  flow.nacks += 1;
  if (!isOutstanding(flow, seq)) return;
  const sent = sentOf(flow, seq);
  const sizeBytes = <u32>sent.sizeBytes;
  const sentPs = sent.sentPs;
  if (isBaseRttFromNacks) updateBaseRtt(flow, nowPs - sentPs);
  controlOnNack(flow, <f64>sizeBytes, isLastHop);
  removeSent(flow, seq, sent);
  flow.inFlightBytes -= <f64>sizeBytes;
  stopSpeculating(flow);
  queueAgain(flow, seq, sizeBytes);
  onRemoved(flow, sentPs);
  pathFeedback(flow, nack.ev, isLastHop ? (nack.isMarked ? ECN : GOOD) : NACKED);
  trySend(flow);
}

function onPull(flow: UetFlow, pull: UetPacket): void {
  flow.pulls += 1;
  stopSpeculating(flow);
  pullCredit(flow, pull.number);
  trySend(flow);
}
