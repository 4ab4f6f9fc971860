/**
 * The sender of IRN: in recovery it retransmits only lost packets.
 *
 * NAK        names the expected byte and the packet that arrived, which the receiver holds. Outside recovery it begins recovery at the
 *            expected packet
 * Recovery   a packet is lost if the receiver holds a later one but not this one. Each lost packet is retransmitted once, then new packets
 *            follow. Recovery ends when everything sent before it began is acknowledged
 * Timeout    restarts recovery at the expected packet. Short with few packets in flight, otherwise long; counted from the last progress
 * Cap        packets may be sent up to one BDP beyond `sndUna` (bdp-fc)
 *
 * Source      R. Mittal et al., "Revisiting Network Support for RDMA", SIGCOMM 2018, sections 3.1 and 3.2.
 * Deviations  none known. The paper is followed literally: if the last packets of a flow are lost, each takes its own timeout, as the
 *             receiver holds no later packet.
 */
import { PACKET_NAK } from '../../../src/abi/sim-codes';
import { bytesInFlight } from '../connections/positions';
import { clearBits, hasBit, setBit } from './bitmap';
import { sackOf, transportOf } from './memory';
import { SimFlow, SimPacket } from '../../records/network';
import { FlowTransport } from '../../records/transports';

/** Whether another packet may be in flight. */
@inline export function hasCapRoom(flow: SimFlow): bool {
  return <f64>bytesInFlight(flow) < transportOf(flow.qp).capBytes;
}

/** Whether few packets are in flight. */
export function isLittleInFlight(flow: SimFlow, own: FlowTransport): bool {
  const mtuBytes = <i64>flow.mtuBytes;
  return (flow.sentUpTo - flow.sndUna + mtuBytes - 1) / mtuBytes <= <i64>own.fewPackets;
}

/** Handles a response, which may have moved `sndUna` from `before`; returns whether it reports a loss. */
export function takeResponse(flow: SimFlow, own: FlowTransport, packet: SimPacket, before: i64): bool {
  const mtuBytes = <i64>flow.mtuBytes;
  if (own.sackedEnd > before)
    clearBits(own.sackedRing, own.sackedMask, before / mtuBytes, (flow.sndUna + mtuBytes - 1) / mtuBytes);
  const isNak = packet.kind == PACKET_NAK;
  if (isNak && sackOf(packet) >= flow.sndUna) noteHeld(flow, own, sackOf(packet));
  if (own.again && flow.sndUna >= own.recoveryEnd) own.again = 0;
  const isLoss = isNak && !own.again && packet.sequence == flow.sndUna;
  if (isLoss) beginRecovery(flow, own);
  selectNextPacket(flow, own);
  return isLoss;
}

function noteHeld(flow: SimFlow, own: FlowTransport, firstByte: i64): void {
  const number = firstByte / <i64>flow.mtuBytes;
  if (hasBit(own.sackedRing, own.sackedMask, number)) return;
  setBit(own.sackedRing, own.sackedMask, number);
  own.sacked++;
  own.sackedEnd = max<i64>(own.sackedEnd, min<i64>(firstByte + <i64>flow.mtuBytes, flow.size));
}

export function beginRecovery(flow: SimFlow, own: FlowTransport): void {
  own.again = 1;
  own.recoveryEnd = flow.sentUpTo;
  own.resume = flow.sndUna;
  own.resendNext = flow.sndUna;
  flow.sndNxt = flow.sndUna;
}

/** The next packet: a lost one in recovery, otherwise a new one. */
export function selectNextPacket(flow: SimFlow, own: FlowTransport): void {
  flow.sndNxt = own.again ? nextLost(flow, own) : flow.sentUpTo;
}

function nextLost(flow: SimFlow, own: FlowTransport): i64 {
  const mtuBytes = <i64>flow.mtuBytes;
  if (own.resendNext < flow.sndUna) own.resendNext = flow.sndUna;
  // This packet is lost even if the receiver holds no later one.
  if (own.resendNext <= own.resume && own.resume >= flow.sndUna) return own.resume;
  while (own.resendNext < own.sackedEnd) {
    if (!hasBit(own.sackedRing, own.sackedMask, own.resendNext / mtuBytes)) return own.resendNext;
    own.resendNext += mtuBytes;
  }
  return flow.sentUpTo;
}
