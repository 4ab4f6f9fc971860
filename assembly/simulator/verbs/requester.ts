/**
 * The requester of an RDMA READ: accepts responses in order, and requests missing ones again. It is also the notification point.
 *
 * In order   expected += payload; no ACK. The READ is done with its last byte
 * Ahead      a request from the expected byte, once per expected byte (a retry, as an implied NAK)
 * Behind     dropped
 * Timeout    no request sent and no response accepted for its whole duration: the same request, counted as a retry. With an adaptive
 *            timeout there is one extension, as in sender.ts
 *
 * Source      IBTA vol. 1, 9.7.5.1.9 and 9.9.2.
 * Deviations  a responder that is still repeating responses when the READ is done stops immediately.
 */
import { FLOW_DONE, FLOW_FAILED, FLOW_OWN_TRANSPORT, FLOW_RECEIVED } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { flowDone } from '../halt';
import { flowAt, total } from '../network';
import { consume, packetAt } from '../packets';
import { qpChanged } from '../ready-qps';
import { responseMark } from '../receiver';
import { startDependents } from '../sender';
import { lossesOf, noteAhead, transportOf } from '../transport/memory';
import { mayRetryFrom } from '../transport/retries';
import { verbOf } from './memory';
import { awaitUntil, sendRequest } from './read-request';
import { TOTAL_DELIVERED, TOTAL_FLOWS_DONE, TOTAL_TIMEOUTS } from '../../records/sim-run';
import { SimFlow, TIMEOUT_IDLE } from '../../records/network';

/** A response arrives at the requester. */
export function receiveResponse(flow: SimFlow, index: u32, sincePs: i64): void {
  const packet = packetAt(index);
  const number = packet.flow;
  responseMark(flow, packet, sincePs);
  if (!(flow.flags & FLOW_FAILED)) {
    if (packet.sequence == flow.expected) accept(flow, number, packet.lenBytes - flow.headerBytes);
    else if (packet.sequence < flow.expected) lossesOf(number).duplicates++;
    else {
      noteAhead(flow, packet);
      requestAgain(flow, number);
    }
  }
  consume(index);
}

function accept(flow: SimFlow, number: u32, payload: u32): void {
  flow.expected += payload;
  flow.delivered += <f64>payload;
  verbOf(number).progressPs = nowPs;
  total(TOTAL_DELIVERED, payload);
  if (flow.expected >= flow.size) complete(flow, number);
}

function complete(flow: SimFlow, number: u32): void {
  flow.flags |= FLOW_DONE | FLOW_RECEIVED;
  flow.finishPs = <f64>nowPs;
  flow.sndNxt = flow.size;
  qpChanged(flow, number);
  flowDone();
  total(TOTAL_FLOWS_DONE, 1);
  startDependents(flow);
}

function requestAgain(flow: SimFlow, number: u32): void {
  if (flow.expected == flow.lastNak) return;
  flow.lastNak = flow.expected;
  if (mayRequest(flow, number)) sendRequest(flow, number);
}

/** Counts a retry; the READ fails beyond the limit of its requester. */
function mayRequest(flow: SimFlow, number: u32): bool {
  if (!(flow.flags & FLOW_OWN_TRANSPORT) || mayRetryFrom(flow, transportOf(number), flow.expected)) return true;
  if (verbOf(number).responding) qpChanged(flow, number);
  return false;
}

/** The requester's timer has expired; it is restarted until the READ is done. */
export function timeOutRead(number: u32): void {
  const flow = flowAt(number);
  flow.timeoutState = TIMEOUT_IDLE;
  if (flow.flags & FLOW_DONE) return;
  const progressPs = verbOf(number).progressPs;
  let due = progressPs + <i64>flow.timeoutPs;
  if (due <= nowPs) due = progressPs + <i64>flow.pathTimeoutPs;
  if (due > nowPs) return awaitUntil(flow, number, due);
  flow.timeouts += 1;
  total(TOTAL_TIMEOUTS, 1);
  if (!mayRequest(flow, number)) return;
  sendRequest(flow, number);
  awaitUntil(flow, number, nowPs + <i64>flow.timeoutPs);
}
