/**
 * The sender of selective repeat, as NICs implement it: a NAK names the expected packet, and only this packet is retransmitted.
 *
 * NAK      for the first unacknowledged byte: only its packet is retransmitted, then the flow continues where it was (`resume`)
 * ACK      snd_nxt >= snd_una
 * Timeout  snd_nxt = snd_una: all unacknowledged packets are retransmitted, as under go-back-N, since nothing shows what has arrived;
 *          ACKs skip what the receiver has kept
 *
 * Source      "RoCE Network Proposal", slide 16; IBTA vol. 1, 9.9.2 (timeout).
 * Deviations  "wait for following ACKs" is read as: nothing else is retransmitted. New packets follow.
 */
import { PACKET_NAK } from '../../../src/abi/sim-codes';
import { SimFlow, SimPacket } from '../../records/network';
import { FlowTransport } from '../../records/transports';

/** Handles a response, which may have moved `sndUna`; returns whether it reports a loss. */
export function takeResponse(flow: SimFlow, own: FlowTransport, packet: SimPacket): bool {
  if (own.resume < flow.sndUna) own.resume = flow.sndUna;
  if (flow.sndNxt < flow.sndUna) {
    flow.sndNxt = own.again ? own.resume : flow.sndUna;
    own.again = 0;
  }
  if (packet.kind != PACKET_NAK || packet.sequence != flow.sndUna) return false;
  if (!own.again) own.resume = flow.sndNxt;
  own.again = 1;
  flow.sndNxt = flow.sndUna;
  return true;
}

/** Called after each departure: after a retransmission, resumes where the flow was. */
export function selectNextPacket(flow: SimFlow, own: FlowTransport): void {
  if (!own.again) return;
  own.again = 0;
  if (flow.sndNxt < own.resume) flow.sndNxt = own.resume;
}

export function goBack(flow: SimFlow, own: FlowTransport): void {
  own.again = 0;
  flow.sndNxt = flow.sndUna;
}
