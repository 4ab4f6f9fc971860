/**
 * The receiver of `tolerant`, which places packets in any order within its reordering window.
 *
 * In order   `expected` advances over the packet and the held packets that follow; ACK
 * Ahead      held; ACK, never a NAK
 * Behind     ACK (IBTA vol. 1, 9.7.5.1.4: duplicates are acknowledged)
 * ACK        the expected byte, and a bitmap of 64 packets from max(expected + 1, n - 63) on, where n is the packet that arrived. It covers
 *            the packets of earlier ACKs too, so a lost ACK rarely matters
 * Window     the sender stays within it, so nothing arrives beyond it
 *
 * Source      Ultra Ethernet 1.0 and OCP MRC 1.0: SACKs with a bitmap of 64 packets that ends with the one that has arrived, unless all fit.
 * Deviations  sizes are those of go-back-N: not every packet carries a RETH, and ACKs have no bytes for the bitmap.
 */
import { PACKET_ACK } from '../../../src/abi/sim-codes';
import { packetAt } from '../packets';
import { completeReceive, reply, responseMark } from '../receiver';
import { MAP_PACKETS, bitsFrom, clearBit, hasBit, setBit } from './bitmap';
import { acceptUpTo, endOf } from './accept';
import { lossesOf, noteAhead, setSack, setSackMap, transportOf } from './memory';
import { SimFlow } from '../../records/network';
import { FlowTransport } from '../../records/transports';

/** Number of packets that a bitmap covers. */

/** Handles a data packet that arrives at its host. */
export function receiveTolerant(flow: SimFlow, index: u32, sincePs: i64): void {
  const packet = packetAt(index);
  const own = transportOf(packet.flow);
  responseMark(flow, packet, sincePs);
  const number = packet.sequence / <i64>flow.mtuBytes;
  if (packet.sequence == flow.expected) moveExpected(flow, own, endOf(flow, packet));
  else if (packet.sequence > flow.expected) hold(flow, own, index, number);
  else lossesOf(packet.flow).duplicates++;
  writeMap(flow, own, index, number);
  reply(flow, index, PACKET_ACK, sincePs);
  completeReceive(flow);
}

/** Moves the expected byte past the expected packet and the held packets that follow. */
export function moveExpected(flow: SimFlow, own: FlowTransport, endOfPacket: i64): void {
  const mtuBytes = <i64>flow.mtuBytes;
  let number = flow.expected / mtuBytes + 1;
  let end = endOfPacket;
  while (hasBit(own.keptRing, own.keptMask, number)) {
    clearBit(own.keptRing, own.keptMask, number++);
    end = min<i64>(number * mtuBytes, flow.size);
  }
  acceptUpTo(flow, end);
}

export function hold(flow: SimFlow, own: FlowTransport, index: u32, number: i64): void {
  const packet = packetAt(index);
  noteAhead(flow, packet);
  if (hasBit(own.keptRing, own.keptMask, number)) lossesOf(packet.flow).duplicates++;
  setBit(own.keptRing, own.keptMask, number);
}

function writeMap(flow: SimFlow, own: FlowTransport, index: u32, number: i64): void {
  const mtuBytes = <i64>flow.mtuBytes;
  const first = max<i64>((flow.expected + mtuBytes - 1) / mtuBytes + 1, number - MAP_PACKETS + 1);
  setSack(packetAt(index), first);
  setSackMap(packetAt(index), bitsFrom(own.keptRing, own.keptMask, first));
}
