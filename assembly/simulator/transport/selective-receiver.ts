/**
 * The receiver of selective repeat and IRN, which keeps packets that arrive ahead.
 *
 * In order   `expected` advances over the packet and the kept packets that follow.
 *            Selective repeat: ACK, or NAK if packets are kept beyond the next gap. IRN: ACK
 * Ahead      kept if less than the reordering window ahead, otherwise dropped and counted.
 *            Selective repeat: NAK with the expected byte, once per expected byte. IRN: NAK that names the packet, each time (SACK)
 * Behind     ACK (IBTA vol. 1, 9.7.5.1.4: duplicates are acknowledged)
 *
 * Source      "RoCE Network Proposal", slide 16 (selective repeat); R. Mittal et al., "Revisiting Network Support for RDMA", SIGCOMM 2018,
 *             section 3.1 (IRN).
 * Deviations  not every packet carries a RETH, and NAKs have no bytes for the packet they name: sizes are those of go-back-N.
 */
import { FLOW_IRN, FLOW_MRC, FLOW_TOLERANT, PACKET_ACK, PACKET_NAK } from '../../../src/abi/sim-codes';
import { consume, packetAt } from '../packets';
import { responseMark, completeReceive, reply } from '../receiver';
import { acceptUpTo, endOf } from './accept';
import { clearBit, hasBit, setBit } from './bitmap';
import { lossesOf, noteAhead, setSack, transportOf } from './memory';
import { receiveMrc } from './mrc-receiver';
import { receiveTolerant } from './tolerant-receiver';
import { SimFlow } from '../../records/network';
import { FlowTransport } from '../../records/transports';

/** Handles a data packet that arrives at its host. */
export function receiveSelective(flow: SimFlow, index: u32, sincePs: i64): void {
  if (flow.flags & FLOW_TOLERANT) return receiveTolerant(flow, index, sincePs);
  if (flow.flags & FLOW_MRC) return receiveMrc(flow, index, sincePs);
  const packet = packetAt(index);
  responseMark(flow, packet, sincePs);
  if (packet.sequence == flow.expected) return receiveInOrder(flow, index, sincePs);
  if (packet.sequence > flow.expected) return receiveAhead(flow, index, sincePs);
  lossesOf(packet.flow).duplicates++;
  reply(flow, index, PACKET_ACK, sincePs);
}

function receiveInOrder(flow: SimFlow, index: u32, sincePs: i64): void {
  const packet = packetAt(index);
  const own = transportOf(packet.flow);
  let end = endOf(flow, packet);
  if (own.keptEnd > end) end = passKept(flow, own, end);
  acceptUpTo(flow, end);
  const requestsRetransmission = own.keptEnd > end && !(flow.flags & FLOW_IRN);
  if (requestsRetransmission) flow.lastNak = end;
  reply(flow, index, requestsRetransmission ? PACKET_NAK : PACKET_ACK, sincePs);
  completeReceive(flow);
}

/** Releases the kept packets from a byte up to the next gap; returns their end. */
function passKept(flow: SimFlow, own: FlowTransport, from: i64): i64 {
  const mtuBytes = <i64>flow.mtuBytes;
  let number = from / mtuBytes;
  while (hasBit(own.keptRing, own.keptMask, number)) clearBit(own.keptRing, own.keptMask, number++);
  return min<i64>(number * mtuBytes, flow.size);
}

function receiveAhead(flow: SimFlow, index: u32, sincePs: i64): void {
  const packet = packetAt(index);
  const own = transportOf(packet.flow);
  const isKept = noteAhead(flow, packet) < own.windowPackets;
  if (isKept) keep(flow, own, index);
  else own.beyond++;
  if (flow.flags & FLOW_IRN) setSack(packet, isKept ? packet.sequence : -1);
  else if (flow.lastNak == flow.expected) return consume(index);
  flow.lastNak = flow.expected;
  reply(flow, index, PACKET_NAK, sincePs);
}

function keep(flow: SimFlow, own: FlowTransport, index: u32): void {
  const packet = packetAt(index);
  const number = packet.sequence / <i64>flow.mtuBytes;
  if (hasBit(own.keptRing, own.keptMask, number)) lossesOf(packet.flow).duplicates++;
  setBit(own.keptRing, own.keptMask, number);
  own.keptEnd = max<i64>(own.keptEnd, endOf(flow, packet));
}
