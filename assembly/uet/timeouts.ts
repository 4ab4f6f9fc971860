/**
 * Timeouts of a sender, and requests to send (docs/specs/uet-reference.md, 5).
 *
 * As in the reference, after a timeout the sender asks the NIC once more, although it may have sent already; the NIC is then
 * occupied for one byte, or the sender queues a second time. Feedback on a timeout goes to path 0.
 */
import { UET_NONE, UetFlow } from '../records/uet-flows';
import { UET_PACKET_RTS } from '../records/uet-network';
import { UET_CONTROL_NONE } from '../records/uet-run';
import { stopSpeculating } from './credit';
import { nowPs } from './events';
import { occupy } from './nic';
import { HEADER_BYTES } from './packets';
import { TIMED_OUT, nextEv, pathFeedback } from './paths';
import { startForOldest, startTimer } from './retransmission-timer';
import { askNic, queueAgain, sendHeader, sendOne, sourceOf, takeNumber } from './sending';
import { addSent, removeSent, sentOf } from './sent-packets';
import { control, isReceiverControlled, mtuBytes, rttPs } from './settings';
import { recoverOnTimeout } from './sleek';

/** The event of the retransmission timer. */
export function onTimeout(flow: UetFlow): void {
  const seq = flow.oldestSeq;
  if (seq == <u32>UET_NONE) return;
  const sent = sentOf(flow, seq);
  const sizeBytes = <u32>sent.sizeBytes;
  flow.timeouts += 1;
  pathFeedback(flow, 0, TIMED_OUT);
  if (recoverOnTimeout(flow, seq, sent)) return;
  removeSent(flow, seq, sent);
  startForOldest(flow);
  if (control != UET_CONTROL_NONE) {
    flow.inFlightBytes -= <f64>sizeBytes;
    flow.windowBytes = max(flow.windowBytes - <f64>sizeBytes, mtuBytes);
  }
  if (flow.queuedCount) {
    stopSpeculating(flow);
    queueAgain(flow, seq, sizeBytes);
    if (isReceiverControlled) requestToSend(flow);
    return;
  }
  queueAgain(flow, seq, sizeBytes);
  const isWindowFull = control != UET_CONTROL_NONE && flow.windowBytes < <f64>sizeBytes + flow.inFlightBytes;
  const isCreditGone = isReceiverControlled && flow.creditBytes <= 0;
  if (isWindowFull || isCreditGone) requestToSend(flow);
  else requestAgain(flow);
}

function requestAgain(flow: UetFlow): void {
  const host = sourceOf(flow);
  if (!askNic(host, flow)) return;
  sendOne(flow);
  occupy(host, 1);
}

/** Sends an RTS, at most one per round trip; without limit under purely receiver-based control. */
function requestToSend(flow: UetFlow): void {
  const intervalPs = control == UET_CONTROL_NONE ? 0 : rttPs;
  if (flow.lastRtsPs != 0 && nowPs - flow.lastRtsPs < intervalPs) return;
  flow.lastRtsPs = nowPs;
  const seq = takeNumber(flow);
  const ev = nextEv(flow);
  addSent(flow, seq, HEADER_BYTES, nowPs);
  sendHeader(flow, UET_PACKET_RTS, seq, ev);
  flow.nextSeq++;
  flow.requestsToSend += 1;
  startTimer(flow, nowPs);
}
