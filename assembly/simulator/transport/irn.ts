/**
 * The sender of IRN: in recovery it retransmits lost packets only.
 *
 * NAK        (cumulative byte, packet that arrived): the packet is known to be held. Outside recovery, it begins one that ends with what has
 *            been sent so far and starts at the expected packet
 * Recovery   a packet is lost if a later one is held and it is not; each is retransmitted once, then new ones follow. It ends when everything
 *            sent before it began is acknowledged
 * Timeout    restarts recovery at the expected packet. Low with few packets in flight, otherwise high; counted from the last progress
 * Cap        packets may be sent up to one BDP beyond `sndUna` (bdp-fc)
 *
 * Source      R. Mittal et al., "Revisiting Network Support for RDMA", SIGCOMM 2018, sections 3.1 and 3.2.
 * Deviations  none known in what is sent. Taken literally, a lost tail of several packets takes one timeout for each, as no later packet
 *             is held.
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
  goOn(flow, own);
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
export function goOn(flow: SimFlow, own: FlowTransport): void {
  flow.sndNxt = own.again ? nextLost(flow, own) : flow.sentUpTo;
}

function nextLost(flow: SimFlow, own: FlowTransport): i64 {
  const mtuBytes = <i64>flow.mtuBytes;
  if (own.resendNext < flow.sndUna) own.resendNext = flow.sndUna;
  // Lost, whether or not a later packet is held.
  if (own.resendNext <= own.resume && own.resume >= flow.sndUna) return own.resume;
  while (own.resendNext < own.sackedEnd) {
    if (!hasBit(own.sackedRing, own.sackedMask, own.resendNext / mtuBytes)) return own.resendNext;
    own.resendNext += mtuBytes;
  }
  return flow.sentUpTo;
}
