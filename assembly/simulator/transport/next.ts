/** Notifies the transport of a flow with FLOW_SELECTIVE of departing packets. */
import { FLOW_IRN, FLOW_MRC, FLOW_TOLERANT } from '../../../src/abi/sim-codes';
import { agentOf, hasAgents } from '../agents/memory';
import * as irn from './irn';
import { lossesOf, transportOf } from './memory';
import * as mrc from './mrc';
import { hasTransportRoom, isWindowSmall } from './room';
import * as selectiveRepeat from './selective-repeat';
import * as tolerant from './tolerant';
import { SimFlow, SimPacket } from '../../records/network';

/** Counts a retransmitted packet; `sndNxt` is still its first byte. `step`: bytes from there to the next packet. */
export function countAgain(flow: SimFlow, number: u32, payload: u32, step: u32): void {
  flow.retransmitted += 1;
  if (hasAgents) agentOf(number).retransmitted++;
  const losses = lossesOf(number);
  losses.retransmittedBytes += <f64>payload;
  if (flow.flags & FLOW_IRN) transportOf(number).resendNext = flow.sndNxt + <i64>step;
  else if (flow.flags & FLOW_TOLERANT) tolerant.noteResent(flow, transportOf(number), step);
  else if (flow.flags & FLOW_MRC) mrc.noteResent(flow, transportOf(number), step);
}

/** Called after each departure: moves `sndNxt` to the next packet. `sincePs`: when the current event was scheduled. */
export function chooseNext(flow: SimFlow, number: u32, packet: SimPacket, sincePs: i64): void {
  const own = transportOf(number);
  if (flow.flags & FLOW_IRN) irn.selectNextPacket(flow, own);
  else if (flow.flags & FLOW_TOLERANT) tolerant.selectNextPacket(flow, own);
  else if (flow.flags & FLOW_MRC) {
    mrc.noteSent(flow, own, packet);
    mrc.noteAckRequest(flow, own, packet, flow.sndNxt >= flow.size || !hasTransportRoom(flow, sincePs) ||
      (own.requestsAckInSmallWindow != 0 && isWindowSmall(flow, own, sincePs)));
  } else selectiveRepeat.selectNextPacket(flow, own);
}
