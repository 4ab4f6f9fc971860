/**
 * Receiver credit at the sender: the pull target of each data packet, after its bytes are subtracted from the credit.
 *
 *   request   bytes left to send on the wire, first transmissions and retransmissions with headers, minus the credit; divided by the
 *             number of the port's flows that wait to send, including this one (assembly/algorithms/rccc)
 *
 * Source      uet-htsim (docs/specs/uet-reference.md, 5.1, 5.4), for RCCC of Ultra Ethernet 1.0.
 */
import { FLOW_CREDIT, FLOW_DONE, FLOW_MRC, SIM_NONE } from '../../../src/abi/sim-codes';
import { pullTarget } from '../../rp/credit';
import { hasCredit } from '../../rp/window';
import { flowAt, portAt, total } from '../network';
import { flowAtPlace } from '../ready-qps';
import { mrcOf, transportOf } from '../transport/memory';
import { FLOW_BY_PACKET } from './memory';
import { SimFlow, SimPacket } from '../../records/network';
import { TOTAL_CREDIT_BYTES_USED } from '../../records/sim-run';

/** Called when a data packet is sent, after its bytes are subtracted from the credit. If no credit is left, MRC requests a SACK. */
export function noteSent(flow: SimFlow, number: u32, packet: SimPacket): void {
  total(TOTAL_CREDIT_BYTES_USED, <f64>packet.lenBytes);
  packet.power = <u32><i64>pullTarget(flow.qp, <f64>backlogBytes(flow, number), waitingFlows(flow, number));
  if (flow.flags & FLOW_MRC && !hasCredit(flow.qp)) mrcOf(packet).asks = 1;
}

/** Bytes on the wire left to send, including retransmissions. */
function backlogBytes(flow: SimFlow, number: u32): i64 {
  if (!(flow.flags & FLOW_BY_PACKET)) return onWire(flow, flow.size - flow.sndNxt);
  return onWire(flow, flow.size - flow.sentUpTo) + onWire(flow, transportOf(number).lostBytes);
}

/** Payload with the headers of its packets. */
@inline function onWire(flow: SimFlow, bytes: i64): i64 {
  const mtuBytes = <i64>flow.mtuBytes;
  return bytes + (bytes + mtuBytes - 1) / mtuBytes * <i64>flow.headerBytes;
}

/** Number of the port's flows with receiver credit that have bytes left and credit, and the one that has just sent. */
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
