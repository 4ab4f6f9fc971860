/**
 * Requests of RDMA READs, and their timer.
 *
 *   post      the requester sends a READ request, and its timer starts
 *   request   a packet from requester to responder, in the flow's class; it names the first missing byte
 *   timer     restarted by each request and by each response in order; it is the event of the flow's retransmission timeout
 *
 * Source      IBTA vol. 1, 9.7.5.1.9 (a READ is requested again from the first missing PSN), 9.9.2 (transport timer).
 * Deviations  one request covers all missing bytes: adapters split a READ at 2^31 bytes, and limit outstanding requests
 *             (max_rd_atomic), which is not modelled. Like ACKs, requests are never marked.
 */
import { PACKET_READ_REQUEST, SIM_NONE } from '../../../src/abi/sim-codes';
import { selecting } from '../balancing/network';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { portAt } from '../network';
import { response } from '../nic';
import { makePacket, packetAt } from '../packets';
import { setSourcePort } from '../path-selection/memory';
import { timeoutEvent } from '../timeouts';
import { verbOf } from './memory';
import { SimFlow, TIMEOUT_OFF, TIMEOUT_SET } from '../../records/network';

/** Starts a READ at its requester. */
export function postRead(flow: SimFlow, number: u32): void {
  sendRequest(flow, number);
  if (flow.timeoutState != TIMEOUT_OFF) awaitUntil(flow, number, nowPs + <i64>flow.timeoutPs);
}

/** Requests the missing bytes. */
export function sendRequest(flow: SimFlow, number: u32): void {
  const own = verbOf(number);
  const index = makePacket(PACKET_READ_REQUEST, number, flow.dataClass, own.requestBytes);
  if (index == SIM_NONE) return;
  own.requests++;
  own.progressPs = nowPs;
  packetAt(index).sequence = flow.expected;
  packetAt(index).sentPs = nowPs;
  if (selecting) setSourcePort(packetAt(index), 0);
  response(portAt(flow.responsePort), flow.dataClass, index, nowPs);
}

/** Sets the requester's timer. */
export function awaitUntil(flow: SimFlow, number: u32, timePs: i64): void {
  flow.timeoutState = TIMEOUT_SET;
  schedule(timeoutEvent(number), timePs, drawOrder());
}
