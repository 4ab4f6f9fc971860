/**
 * The receiver of MRC, which places packets in any order.
 *
 *   probe    causes an immediate SACK, which names the probe
 *   trimmed  causes an immediate NACK with the reason: trimmed en route, or at the last hop
 *   beyond   at or beyond expected + `rangePackets`: not placed; causes an immediate NACK, or is dropped
 *   discard  a new packet while its host discards packets: not placed; causes an immediate NACK with the reason of the host
 *   whole    any other packet: placed, or a duplicate; may cause a SACK
 *   SACK     sent if the packet requests it, is marked, a retransmission or a duplicate, or if more than `sackEveryBytes` have arrived since the
 *            last SACK, where each packet counts as at least 1,024 bytes. Also sent for packets that arrive after a later one that requested a
 *            SACK, as their sender waits for it
 *   map      the 64 packets from the expected one on; if the highest one that has arrived is beyond these, the 64 that end with it.
 *            The SACK also names the packet that caused it
 *   range    with `announcesRange`, in each SACK, in units of 128 packets. When the range becomes shorter, packets within an announced range
 *            are still accepted
 *   demand   in each SACK: a penalty for the window of congestion control, or its end; it may change during the run
 *   received nominal bytes of all packets placed, without duplicates, in units of 256 bytes, rounded up, modulo 2^24
 *
 * Source      OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md): 2.7, 3.3, 3.4; open points O6, O9, O12, O13 in docs/reference/sources.md.
 * Deviations  SACKs of overtaken packets; messages have no ACKs other than SACKs. A packet that arrives outside the bitmap and is not named
 *             is never reported, so it is retransmitted: this happens in networks that reorder by more than 64 packets.
 */
import { PACKET_ACK, PACKET_NACK } from '../../../src/abi/sim-codes';
import { nodeAt } from '../network';
import { consume, packetAt } from '../packets';
import { isAlwaysSkipped } from '../path-selection/always-skip';
import { completeReceive, reply, responseMark, respond } from '../receiver';
import { MAP_PACKETS, bitsFrom, hasBit } from './bitmap';
import { lossesOf, mrcOf, transportOf } from './memory';
import { hold, moveExpected } from './tolerant-receiver';
import { endOf } from './accept';
import { RANGE_SHIFT } from './mrc';
import { packetsIn } from './numbers';
import { SimFlow, SimPacket } from '../../records/network';
import { FlowTransport, NACK_OUT_OF_RANGE, NACK_TRIMMED, TRIM_NONE } from '../../records/transports';

/** Minimum bytes that a packet counts as. */
const LEAST_BYTES: u32 = 1024;
/** Received bytes in a SACK: a unit is 2^8 bytes; the field has 24 bits. */
const UNIT_SHIFT: i64 = 8;
const UNITS_MASK: i64 = 0xffffff;

/** Handles a data packet or probe that arrives at its host. */
export function receiveMrc(flow: SimFlow, index: u32, sincePs: i64): void {
  const packet = packetAt(index);
  const own = transportOf(packet.flow);
  if (mrcOf(packet).probe) return replySack(flow, own, index, sincePs, isAlwaysSkipped(flow, packet));
  if (mrcOf(packet).trimmed != TRIM_NONE) return requestAgain(flow, own, index, sincePs, NACK_TRIMMED);
  responseMark(flow, packet, sincePs);
  const number = packet.sequence / <i64>flow.mtuBytes;
  if (number >= max<i64>(rangeEnd(flow, own), own.announcedEnd)) return rejectBeyond(flow, own, index, sincePs);
  const isDuplicate = packet.sequence < flow.expected || hasBit(own.keptRing, own.keptMask, number);
  const discards = <u32>nodeAt(flow.destination).discards;
  if (discards != 0 && !isDuplicate) return discard(flow, own, index, sincePs, discards);
  const alwaysSkip = isAlwaysSkipped(flow, packet);
  if (!isDuplicate) own.receivedBytes += <i64>(packet.lenBytes - flow.headerBytes + own.nominalHeaderBytes);
  if (packet.sequence == flow.expected) moveExpected(flow, own, endOf(flow, packet));
  else if (packet.sequence > flow.expected) hold(flow, own, index, number);
  else lossesOf(packet.flow).duplicates++;
  own.receivedEnd = max<i64>(own.receivedEnd, number + 1);
  own.bytesSinceSack += max<u32>(packet.lenBytes, LEAST_BYTES);
  if (isDuplicate || isSackDue(own, packet, number)) sendSack(flow, own, index, sincePs, number, alwaysSkip);
  else consume(index);
  completeReceive(flow);
}

@inline function rangeEnd(flow: SimFlow, own: FlowTransport): i64 {
  return packetsIn(flow, flow.expected) + <i64>own.rangePackets;
}

function rejectBeyond(flow: SimFlow, own: FlowTransport, index: u32, sincePs: i64): void {
  own.beyond++;
  if (own.dropsBeyond) consume(index);
  else requestAgain(flow, own, index, sincePs, NACK_OUT_OF_RANGE);
}

function discard(flow: SimFlow, own: FlowTransport, index: u32, sincePs: i64, reason: u32): void {
  own.discarded++;
  requestAgain(flow, own, index, sincePs, reason);
}

/** Reuses a packet as a NACK with a reason, NACK_*. NACKs have no field for the packet's mark. */
function requestAgain(flow: SimFlow, own: FlowTransport, index: u32, sincePs: i64, reason: u32): void {
  const packet = packetAt(index);
  mrcOf(packet).reason = <u8>reason;
  packet.marked = 0;
  respond(flow, index, PACKET_NACK, own.nackBytes, sincePs);
}

@inline function isSackDue(own: FlowTransport, packet: SimPacket, number: i64): bool {
  const part = mrcOf(packet);
  if (part.asks) own.askedEnd = max<i64>(own.askedEnd, number + 1);
  return number < own.askedEnd || packet.marked != 0 || part.again != 0 || own.bytesSinceSack > own.sackEveryBytes;
}

function sendSack(flow: SimFlow, own: FlowTransport, index: u32, sincePs: i64, number: i64, alwaysSkip: bool): void {
  mrcOf(packetAt(index)).cause = <u32>number;
  own.bytesSinceSack = 0;
  replySack(flow, own, index, sincePs, alwaysSkip);
}

/** Reuses a data packet or a probe as its SACK, which keeps the probe's number. */
function replySack(flow: SimFlow, own: FlowTransport, index: u32, sincePs: i64, alwaysSkip: bool): void {
  const sack = mrcOf(packetAt(index));
  sack.asks = <u8>alwaysSkip;
  const first = max<i64>(packetsIn(flow, flow.expected), own.receivedEnd - MAP_PACKETS);
  sack.mapFirst = first;
  sack.map = bitsFrom(own.keptRing, own.keptMask, first);
  sack.range = own.announcesRange ? announceRange(flow, own) : 0;
  sack.windowDemand = <u8>own.windowDemand;
  sack.received = <u32>(((own.receivedBytes + (1 << UNIT_SHIFT) - 1) >> UNIT_SHIFT) & UNITS_MASK);
  reply(flow, index, PACKET_ACK, sincePs);
}

/** Returns the range to announce, in units of 128 packets. */
function announceRange(flow: SimFlow, own: FlowTransport): u8 {
  own.announcedEnd = max<i64>(own.announcedEnd, rangeEnd(flow, own));
  return <u8>(own.rangePackets >> RANGE_SHIFT);
}
