/**
 * Receivers without a posted receive: RNR NAKs ("receiver not ready"), and the senders that wait for them.
 *
 * Receiver   if the first packet of a message arrives before the receive is posted, it gets an RNR NAK and is dropped. Later packets
 *            are dropped without a response until that packet arrives again. A lost first packet causes a NAK, as the PSN is
 *            checked first
 * Sender     RNR NAK: waits for the time that it states, then sends everything from the rejected packet on. Beyond the limit of RNR
 *            retries the flow fails. Congestion control is not notified: nothing was lost in the network
 *
 * Source      IBTA vol. 1, 9.7.5.2.8 (RNR NAK and its timer field), 11.2 (RNR retry counter).
 * Deviations  a flow is one message, so only its first packet can be rejected. An RNR NAK during a wait does not extend it.
 */
import { FLOW_DONE, FLOW_RNR_EXCEEDED, FLOW_RNR_WAIT, PACKET_RNR_NAK, SIM_NONE } from '../../../src/abi/sim-codes';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { addSource } from '../event-sources';
import { flowAt, flowCount } from '../network';
import { serveFlow } from '../nic';
import { consume, packetAt } from '../packets';
import { acceptData, reply, responseMark } from '../receiver';
import { fail } from '../transport/retries';
import { hasVerbs, verbOf } from './memory';
import { SimFlow, SimPacket } from '../../records/network';

/** First event of the waits, one per flow. */
let waits: u32 = 0;

/** Adds the events at which a sender's wait after an RNR NAK ends. */
export function addRnrWaits(): void {
  waits = addSource(hasVerbs ? flowCount : 0, endRnrWait);
}

/** A data packet of a flow with FLOW_NOT_READY arrives at its host. */
export function receiveIfReady(flow: SimFlow, index: u32, sincePs: i64): void {
  const packet = packetAt(index);
  const own = verbOf(packet.flow);
  responseMark(flow, packet, sincePs);
  if (flow.expected == 0) {
    const isFirst = packet.sequence == 0;
    if (isFirst && <f64>nowPs < own.readyPs) {
      own.rejecting = 1;
      return reply(flow, index, PACKET_RNR_NAK, sincePs);
    }
    if (own.rejecting && !isFirst) return consume(index);
  }
  acceptData(flow, index, sincePs);
}

/** An RNR NAK arrives at the sender. */
export function takeRnrNak(flow: SimFlow, packet: SimPacket, sincePs: i64): void {
  if (flow.flags & FLOW_DONE) return;
  const own = verbOf(packet.flow);
  own.rnrNaks++;
  if (flow.flags & FLOW_RNR_WAIT) return;
  if (own.rnrRetryLimit != SIM_NONE && own.rnrRetries == own.rnrRetryLimit) {
    flow.flags |= FLOW_RNR_EXCEEDED;
    fail(flow);
  } else hold(flow, packet);
  serveFlow(flow, packet.flow, sincePs);
}

function hold(flow: SimFlow, packet: SimPacket): void {
  const own = verbOf(packet.flow);
  own.rnrRetries++;
  own.rnrWaitedPs += own.rnrTimerPs;
  flow.sndNxt = packet.sequence;
  flow.flags |= FLOW_RNR_WAIT;
  schedule(waits + packet.flow, nowPs + <i64>own.rnrTimerPs, drawOrder());
}

function endRnrWait(number: u32): void {
  const flow = flowAt(number);
  flow.flags &= ~FLOW_RNR_WAIT;
  if (!(flow.flags & FLOW_DONE)) serveFlow(flow, number, nowPs);
}
