/**
 * The sender of a flow under `reference-lossy`.
 *
 * ACK, NAK   snd_una = max(snd_una, number); IRN: stores the bytes that the NAK names as held; completion; timer; then
 *            go-back-N: a NAK sets snd_nxt = snd_una. IRN: a NAK outside of recovery starts it (until snd_nxt is acknowledged) and
 *            goes back, an ACK ends it. Then congestion control, then the port.
 * Timeout    snd_nxt = snd_una, not reported to congestion control. IRN with pauses has no timeout [as in the reference simulator].
 *
 * Source: docs/specs/reference-lossy.md, sections 3 to 5.
 */
import { FLOW_DONE, PACKET_NAK, SIM_NONE } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { flowAt, portAt, total } from '../network';
import { serveNic } from '../nic';
import { control, finish } from '../sender';
import { passHeld } from './irn';
import { anyPfc, backToZeroBytes, irn, lossyFlow, partOf } from './network';
import { addRange, clear, endOf, startOf, trim } from './ranges';
import { isTimerDue, restartTimer, stopTimer } from './timer';
import { TOTAL_TIMEOUTS } from '../../records/sim-run';
import { SimFlow, SimPacket } from '../../records/network';
import { LossyFlow } from '../../records/lossy';

/** An ACK or NAK arrives. */
export function acknowledgeLossy(flow: SimFlow, packet: SimPacket, sincePs: i64): void {
  if (flow.flags & FLOW_DONE) return;
  const own = lossyFlow(packet.flow);
  const nakBytes = partOf(packet).nakBytes;
  const isNak = irn ? nakBytes > 0 : packet.kind == PACKET_NAK;
  countResponse(own, packet, isNak);
  const number = backToZeroBytes ? packet.sequence / backToZeroBytes * backToZeroBytes : packet.sequence;
  const acked = number - flow.sndUna;
  if (acked > 0) flow.sndUna = number;
  if (irn) noteHeld(flow, own, packet, number, nakBytes);
  if (flow.sndNxt < flow.sndUna) flow.sndNxt = flow.sndUna;
  if (own.inRecovery && flow.sndUna >= own.recoverySequence) own.inRecovery = 0;
  passHeld(flow, own);
  if (flow.sndUna >= flow.size) complete(flow, own);
  else if (flow.sndNxt > flow.sndUna) restartTimer(packet.flow, flow, own);
  goBack(flow, own, isNak);
  control(flow, packet, acked > 0 ? acked : 0, sincePs);
  serveNic(portAt(flow.sourcePort), sincePs);
}

function countResponse(own: LossyFlow, packet: SimPacket, isNak: bool): void {
  if (isNak) own.naks++;
  else own.acks++;
  if (packet.echo) own.cnps++;
}

function noteHeld(flow: SimFlow, own: LossyFlow, packet: SimPacket, number: i64, nakBytes: u32): void {
  if (<u32>number > own.highestAck) own.highestAck = <u32>number;
  if (nakBytes) {
    const start = partOf(packet).nakSequence;
    own.sacked = addRange(own.sacked, start, start + nakBytes);
  }
  if (own.sacked != SIM_NONE && startOf(own.sacked) == flow.sndUna) flow.sndUna = endOf(own.sacked);
  own.sacked = trim(own.sacked, flow.sndUna);
}

function goBack(flow: SimFlow, own: LossyFlow, isNak: bool): void {
  if (!irn) {
    if (isNak) flow.sndNxt = flow.sndUna;
    return;
  }
  if (!isNak) {
    own.inRecovery = 0;
    return;
  }
  if (own.inRecovery) return;
  own.recoverySequence = flow.sndNxt;
  flow.sndNxt = flow.sndUna;
  own.inRecovery = 1;
}

/** Ends the flow and resets its receiver's state, so that later data meets a fresh receiver. */
function complete(flow: SimFlow, own: LossyFlow): void {
  stopTimer(own);
  finish(flow);
  own.sacked = clear(own.sacked);
  own.held = clear(own.held);
  flow.expected = 0;
  flow.lastNak = 0;
  flow.nakAgainPs = 0;
}

/** A flow's timer has expired. */
export function timeOutLossy(number: u32): void {
  const flow = flowAt(number);
  const own = lossyFlow(number);
  if (!isTimerDue(number, own) || flow.flags & FLOW_DONE) return;
  passHeld(flow, own);
  if (irn && anyPfc) return;
  flow.timeouts += 1;
  total(TOTAL_TIMEOUTS, 1);
  if (irn) own.inRecovery = 1;
  flow.sndNxt = flow.sndUna;
  flow.lastProgressPs = nowPs;
  serveNic(portAt(flow.sourcePort), own.timeoutSetPs);
}
