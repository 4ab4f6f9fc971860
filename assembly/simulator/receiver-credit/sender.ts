/**
 * Receiver credit at the sender: pull targets, credit that arrives, and credit that does not.
 *
 *   target    with each data packet, after its bytes are taken from the credit: what is left to send, first transmissions and retransmissions with
 *             their headers, and how many flows of the port wait to send, this one included (assembly/algorithms/rccc)
 *   credit    the algorithm adds it, and the port looks for something to send
 *   missing   no credit, nothing in flight, and none has arrived for the duration of a timeout: a packet's credit as after a timeout, which
 *             asks for more. It draws on no retries, since nothing may be lost
 *
 * Source      uet-htsim (docs/specs/uet-reference.md, 5.1, 5.2, 5.4), for RCCC of Ultra Ethernet 1.0.
 * Deviations  that program sends requests to send after timeouts; one whose credit is lost while nothing is in flight waits for ever.
 */
import { LOSS_TIMEOUT } from '../../../src/abi/ack-layout';
import { FLOW_CREDIT, FLOW_DONE, FLOW_MRC, FLOW_TOLERANT, SIM_NONE } from '../../../src/abi/sim-codes';
import { pullTarget } from '../../rp/credit';
import { hasCredit } from '../../rp/window';
import { feedCredit, feedLoss } from '../engine-feed';
import { timeoutEvent } from '../event-numbers';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { flowAt, portAt, total } from '../network';
import { serveFlow } from '../nic';
import { flowAtPlace } from '../ready-qps';
import { mrcOf, transportOf } from '../transport/memory';
import { bytesInFlight } from '../transport/tolerant';
import { creditOf } from './memory';
import { SimFlow, SimPacket, TIMEOUT_SET } from '../../records/network';
import { TOTAL_CREDIT_BYTES_USED, TOTAL_CREDITS_RECEIVED } from '../../records/sim-totals';

/** Flows whose transport retransmits single packets. */
const FLOW_BY_PACKET: u32 = FLOW_TOLERANT | FLOW_MRC;

/** A data packet leaves, and its bytes are taken from the credit. Without credit for another one it asks MRC's receiver for a SACK. */
export function noteSent(flow: SimFlow, number: u32, packet: SimPacket): void {
  total(TOTAL_CREDIT_BYTES_USED, <f64>packet.lenBytes);
  packet.power = <u32><i64>pullTarget(flow.qp, <f64>backlogBytes(flow, number), waitingFlows(flow, number));
  if (flow.flags & FLOW_MRC && !hasCredit(flow.qp)) mrcOf(packet).asks = 1;
}

/** Bytes on the wire that are to be sent, again or for the first time. */
function backlogBytes(flow: SimFlow, number: u32): i64 {
  if (!(flow.flags & FLOW_BY_PACKET)) return onWire(flow, flow.size - flow.sndNxt);
  return onWire(flow, flow.size - flow.sentUpTo) + onWire(flow, transportOf(number).lostBytes);
}

/** Payload with the headers of its packets. */
@inline function onWire(flow: SimFlow, bytes: i64): i64 {
  const mtuBytes = <i64>flow.mtuBytes;
  return bytes + (bytes + mtuBytes - 1) / mtuBytes * <i64>flow.headerBytes;
}

/** Flows of the port under receiver credit that have bytes left and credit; the one that has just sent counts in any case. */
function waitingFlows(flow: SimFlow, number: u32): u32 {
  const port = portAt(flow.sourcePort);
  const end = port.leaves ? port.listed : port.qpCount;
  let count: u32 = 1;
  for (let place: u32 = 0; place < end; place++) {
    const other = flowAtPlace(port, place);
    if (other != SIM_NONE && other != number && mayWait(flowAt(other))) count++;
  }
  return count;
}

@inline function mayWait(flow: SimFlow): bool {
  return (flow.flags & (FLOW_CREDIT | FLOW_DONE)) == FLOW_CREDIT && flow.sndNxt < flow.size && hasCredit(flow.qp);
}

/** A credit packet arrives. */
export function takeCredit(flow: SimFlow, packet: SimPacket, sincePs: i64): void {
  total(TOTAL_CREDITS_RECEIVED, 1);
  if (flow.flags & FLOW_DONE) return;
  creditOf(packet.flow).progressPs = nowPs;
  feedCredit(flow, <f64>packet.sequence);
  serveFlow(flow, packet.flow, sincePs);
}

/** Whether only credit keeps a flow from sending, and nothing in flight can bring news. */
export function missesCredit(flow: SimFlow, number: u32): bool {
  if (flow.flags & FLOW_DONE || flow.sndNxt >= flow.size || hasCredit(flow.qp)) return false;
  return flow.flags & FLOW_BY_PACKET ?
    bytesInFlight(flow, transportOf(number)) == 0 :
    flow.sndNxt == flow.sndUna;
}

/** The timer of such a flow has expired. */
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
