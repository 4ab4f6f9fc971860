/**
 * The sender of a flow that does not use the default transport: passes responses and timeouts to its transport.
 *
 * Order      acknowledged bytes; next packet; completion, or loss reported to congestion control; congestion control; the port
 * Timeout    one per flow as in go-back-N (sender.ts), or one per packet (mrc-timer.ts). IRN polls after each short timeout, as the short one
 *            may apply by then
 */
import { LOSS_FAST, LOSS_TIMEOUT } from '../../../src/abi/ack-layout';
import { FLOW_DONE, FLOW_IRN, FLOW_MRC, FLOW_SELECTIVE, FLOW_TOLERANT, PACKET_NACK,
  PACKET_NAK } from '../../../src/abi/sim-codes';
import { messagesAcknowledged } from '../connections/completions';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { flowAt, total } from '../network';
import { serveFlow } from '../nic';
import { control, finish, lose } from '../sender';
import { timeoutEvent } from '../timeouts';
import * as irn from './irn';
import { lossesOf, transportOf } from './memory';
import * as mrc from './mrc';
import { takeNack, takeSack } from './mrc-events';
import { expired, expireTimers } from './mrc-timer';
import { probeShutWindow } from './mrc-window-probes';
import { mayRetry } from './retries';
import * as selectiveRepeat from './selective-repeat';
import * as tolerant from './tolerant';
import { acknowledgeTolerant } from './tolerant-events';
import { TOTAL_TIMEOUTS } from '../../records/sim-run';
import { FLOW_CONNECTION } from '../../records/flows';
import { SimFlow, SimPacket, TIMEOUT_IDLE, TIMEOUT_SET } from '../../records/network';
import { FlowTransport } from '../../records/transports';

/** Handles an ACK, NAK or NACK of a flow with FLOW_SELECTIVE. */
export function acknowledgeSelective(flow: SimFlow, packet: SimPacket, sincePs: i64): void {
  if (packet.kind == PACKET_NACK) return takeNack(flow, packet, sincePs);
  if (flow.flags & FLOW_DONE) return;
  if (flow.flags & FLOW_MRC) return takeSack(flow, packet, sincePs);
  if (flow.flags & FLOW_TOLERANT) return acknowledgeTolerant(flow, packet, sincePs);
  const own = transportOf(packet.flow);
  const before = flow.sndUna;
  if (packet.kind == PACKET_NAK) lossesOf(packet.flow).naks++;
  if (packet.sequence > before) {
    flow.sndUna = packet.sequence;
    flow.lastProgressPs = nowPs;
  }
  const isIrn = (flow.flags & FLOW_IRN) != 0;
  const isLoss = isIrn ?
    irn.takeResponse(flow, own, packet, before) :
    selectiveRepeat.takeResponse(flow, own, packet);
  const isAll = flow.sndUna >= flow.size;
  if (isAll) flow.sndNxt = flow.size;
  if (flow.flags & FLOW_CONNECTION) messagesAcknowledged(flow, packet.flow);
  else if (isAll) finish(flow);
  if (!isAll && isLoss && (isIrn || mayRetry(flow, own))) lose(flow, packet.flow, LOSS_FAST);
  control(flow, packet, flow.sndUna - before, sincePs);
  serveFlow(flow, packet.flow, sincePs);
}

/** Handles the timer of a flow with FLOW_OWN_TRANSPORT. */
export function timeOutOwn(number: u32): void {
  const flow = flowAt(number);
  const own = transportOf(number);
  flow.timeoutState = TIMEOUT_IDLE;
  if (flow.flags & FLOW_DONE || !awaitsResponse(flow, own)) return;
  if (own.timesPackets) return timeOutPackets(flow, number, own);
  const duePs = dueOf(flow, own);
  if (duePs > nowPs)
    return awaitUntil(flow, number, flow.flags & FLOW_IRN ? min<i64>(duePs, nextCheckPs(flow)) : duePs);
  flow.timeouts += 1;
  total(TOTAL_TIMEOUTS, 1);
  if (mayRetry(flow, own)) {
    flow.lastProgressPs = nowPs;
    goBack(flow, own);
    lose(flow, number, LOSS_TIMEOUT);
    awaitUntil(flow, number, nextCheckPs(flow));
  }
  serveFlow(flow, number, nowPs);
}

/** Handles the timer of a flow whose packets each have their own timeout. */
function timeOutPackets(flow: SimFlow, number: u32, own: FlowTransport): void {
  const pollPs = expireTimers(flow, number, own);
  if (pollPs) awaitUntil(flow, number, pollPs);
  if (!expired) return;
  serveFlow(flow, number, nowPs);
  probeShutWindow(flow, number, own, nowPs);
}

/** Whether anything is in flight. `sndNxt` may equal `sndUna` with packets in flight: if the first one is lost and waits for room. */
@inline function awaitsResponse(flow: SimFlow, own: FlowTransport): bool {
  return flow.flags & (FLOW_TOLERANT | FLOW_MRC) ? tolerant.bytesInFlight(flow, own) > 0 : flow.sndNxt != flow.sndUna;
}

function dueOf(flow: SimFlow, own: FlowTransport): i64 {
  const lowPs = flow.lastProgressPs + <i64>flow.timeoutPs;
  const isLow = flow.flags & FLOW_IRN ? irn.isLittleInFlight(flow, own) : lowPs > nowPs;
  return isLow ? lowPs : flow.lastProgressPs + <i64>flow.pathTimeoutPs;
}

@inline function nextCheckPs(flow: SimFlow): i64 {
  return nowPs + <i64>flow.timeoutPs;
}

function awaitUntil(flow: SimFlow, number: u32, timePs: i64): void {
  flow.timeoutState = TIMEOUT_SET;
  schedule(timeoutEvent(number), timePs, drawOrder());
}

function goBack(flow: SimFlow, own: FlowTransport): void {
  if (flow.flags & FLOW_IRN) irn.beginRecovery(flow, own);
  else if (flow.flags & FLOW_TOLERANT) tolerant.loseAll(flow, own);
  else if (flow.flags & FLOW_MRC) mrc.loseAll(flow, own);
  else if (flow.flags & FLOW_SELECTIVE) selectiveRepeat.goBack(flow, own);
  else flow.sndNxt = flow.sndUna;
}
