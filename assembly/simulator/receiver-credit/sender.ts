/**
 * Receiver credit at the sender: arriving credit, and missing credit.
 *
 *   credit    the algorithm adds it, and the port tries to send
 *   missing   without credit, without bytes in flight, and with none arriving for the duration of a timeout, the sender gets one
 *             packet's credit as after a timeout; that packet requests more. It does not count as a retry, since nothing may be lost
 *
 * Source      uet-htsim (docs/specs/uet-reference.md, 5.2, 5.4), for RCCC of Ultra Ethernet 1.0.
 * Deviations  uet-htsim sends requests to send after timeouts; a sender whose credit is lost while nothing is in flight waits forever.
 */
import { LOSS_TIMEOUT } from '../../../src/abi/ack-layout';
import { FLOW_DONE } from '../../../src/abi/sim-codes';
import { hasCredit } from '../../rp/window';
import { feedCredit, feedLoss } from '../engine-feed';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { total } from '../network';
import { serveFlow } from '../nic';
import { timeoutEvent } from '../timeouts';
import { transportOf } from '../transport/memory';
import { bytesInFlight } from '../transport/tolerant';
import { creditOf, FLOW_BY_PACKET } from './memory';
import { SimFlow, SimPacket, TIMEOUT_SET } from '../../records/network';
import { TOTAL_CREDITS_RECEIVED } from '../../records/sim-run';

/** A credit packet arrives. */
export function takeCredit(flow: SimFlow, packet: SimPacket, sincePs: i64): void {
  total(TOTAL_CREDITS_RECEIVED, 1);
  if (flow.flags & FLOW_DONE) return;
  creditOf(packet.flow).progressPs = nowPs;
  feedCredit(flow, <f64>packet.sequence);
  serveFlow(flow, packet.flow, sincePs);
}

/** Whether a flow can't send only for lack of credit, and has nothing in flight that could bring feedback. */
export function missesCredit(flow: SimFlow, number: u32): bool {
  if (flow.flags & FLOW_DONE || flow.sndNxt >= flow.size || hasCredit(flow.qp)) return false;
  return flow.flags & FLOW_BY_PACKET ?
    bytesInFlight(flow, transportOf(number)) == 0 :
    flow.sndNxt == flow.sndUna;
}

/** Handles the timeout of a flow with missing credit. */
export function timeOutCredit(flow: SimFlow, number: u32): void {
  const own = creditOf(number);
  const timeoutPs = max<i64>(<i64>flow.timeoutPs, <i64>flow.pathTimeoutPs);
  const duePs = max<i64>(flow.lastProgressPs, own.progressPs) + timeoutPs;
  flow.timeoutState = TIMEOUT_SET;
  if (duePs > nowPs) return schedule(timeoutEvent(number), duePs, drawOrder());
  own.progressPs = nowPs;
  feedLoss(flow, LOSS_TIMEOUT);
  schedule(timeoutEvent(number), nowPs + timeoutPs, drawOrder());
  serveFlow(flow, number, nowPs);
}
