/**
 * SLEEK: loss recovery without trimming, and probes that detect losses early (docs/specs/uet-reference.md, 8).
 *
 *   threshold = max(min(trunc(1.5 cwnd), max window), 5 payloads)
 *   recovery    begins when the receiver has threshold / payload packets out of order, or a probe is acknowledged fast;
 *               retransmits missing packets from e (lowest missing number) to e + cwnd / payload;
 *               ends when everything sent before its beginning is acknowledged
 *   probe       due base RTT + target after an ACK if all is sent, else 3 base RTT; next one 5 base RTT after a probe
 *
 * In recovery the window does not block retransmissions. As in the reference, a packet that times out in recovery is excluded
 * from the timer and not retransmitted.
 */
import { UET_FLOW_PROBE, UetFlow, UetSent } from '../records/uet-flows';
import { UET_PACKET_PROBE, UetPacket } from '../records/uet-network';
import { cancelTimer, nowPs, scheduleTimer } from './events';
import { updateAverage } from './flow-state';
import { nextEv } from './paths';
import { onRemoved, startForOldest } from './retransmission-timer';
import { queueAgain, sendHeader, trySend } from './sending';
import { isKnown, removeSent, sentOf, untime } from './sent-packets';
import { payloadBytes, targetPs } from './settings';

const THRESHOLD_WINDOWS: f64 = 1.5;
const THRESHOLD_PAYLOADS_MIN: f64 = 5;
const PROBE_RTTS: f64 = 3;
const REPEATED_PROBE_RTTS: f64 = 5;

@inline function probeOf(flow: UetFlow): usize {
  return changetype<usize>(flow) + UET_FLOW_PROBE;
}

/** Whether an ACK acknowledges the last probe. */
@inline export function isOfLastProbe(flow: UetFlow, ack: UetPacket): bool {
  return ack.isProbe != 0 && ack.seq == flow.probeSeq;
}

export function delayOfProbe(flow: UetFlow, ack: UetPacket): f64 {
  const rawPs = nowPs - flow.probePs;
  if (rawPs < flow.baseRttPs) return 0;
  const delayPs = rawPs - flow.baseRttPs;
  updateAverage(flow, delayPs, ack.isMarked != 0);
  return delayPs;
}

export function recoverOnAck(flow: UetFlow, ack: UetPacket, delayPs: f64): void {
  const cumulative = ack.cumulative;
  armProbe(flow, cumulative);
  if (ack.isProbe && delayPs < targetPs) {
    flow.isRecovering = 1;
    flow.recoverySeq = flow.nextSeq;
    flow.highestResent = cumulative;
  }
  if (cumulative >= flow.recoverySeq) flow.isRecovering = 0;
  if (!flow.isRecovering && <f64>ack.outOfOrder < trunc(thresholdOf(flow) / payloadBytes)) return;
  if (!flow.isRecovering && !flow.queuedCount) {
    flow.isRecovering = 1;
    flow.recoverySeq = flow.nextSeq;
  }
  resendMissing(flow, cumulative);
  trySend(flow);
}

/** Handles a timeout of the oldest packet if recovery is active; returns whether it did. */
export function recoverOnTimeout(flow: UetFlow, seq: u32, sent: UetSent): bool {
  if (!flow.isRecovering) return false;
  untime(flow, sent);
  if (sent.copies < 1) startForOldest(flow);
  else flow.highestResent = seq;
  return true;
}

function thresholdOf(flow: UetFlow): f64 {
  const windows = trunc(<f64>(<f32>(THRESHOLD_WINDOWS * flow.windowBytes)));
  return max(min(windows, flow.maxWindowBytes), THRESHOLD_PAYLOADS_MIN * payloadBytes);
}

function resendMissing(flow: UetFlow, cumulative: u32): void {
  for (let seq = cumulative; seq < flow.recoverySeq; seq++) {
    if (<f64>seq >= <f64>cumulative + trunc(flow.windowBytes / payloadBytes)) return;
    if (seq < flow.highestResent || !isKnown(flow, seq)) continue;
    const sent = sentOf(flow, seq);
    const sizeBytes = <u32>sent.sizeBytes;
    if (!sizeBytes || sent.queuedBytes) continue;
    const sentPs = sent.sentPs;
    removeSent(flow, seq, sent);
    flow.inFlightBytes -= <f64>sizeBytes;
    flow.highestResent = seq + 1;
    flow.sleekPackets += 1;
    queueAgain(flow, seq, sizeBytes);
    onRemoved(flow, sentPs);
  }
}

function armProbe(flow: UetFlow, cumulative: u32): void {
  const probe = probeOf(flow);
  cancelTimer(probe);
  if (cumulative >= flow.nextSeq && flow.backlogBytes == 0) return;
  const afterAll = flow.baseRttPs + targetPs;
  scheduleTimer(probe, nowPs + (flow.backlogBytes == 0 ? afterAll : PROBE_RTTS * flow.baseRttPs));
}

/** The event of the probe timer: sends a probe. */
export function sendProbe(flow: UetFlow): void {
  flow.probeSeq++;
  flow.probePs = nowPs;
  sendHeader(flow, UET_PACKET_PROBE, flow.probeSeq, nextEv(flow));
  scheduleTimer(probeOf(flow), nowPs + REPEATED_PROBE_RTTS * flow.baseRttPs);
}
