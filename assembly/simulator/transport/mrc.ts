/**
 * The sender of MRC: each packet is acknowledged, lost and retransmitted individually, and a NACK names the packet to retransmit.
 *
 *   SACK       the expected byte, a bitmap of 64 packets, and the packet that caused the SACK: all bytes before the expected one, the packets
 *              of the bitmap and this packet have arrived
 *   NACK       the packet is lost, unless it has arrived or was retransmitted since (the NACK echoes when its packet was sent)
 *   lost       by time: a packet below the highest one acknowledged, sent `lossTimePs` or more before the newest packet that caused a SACK.
 *              By distance, with `distancePackets`: the highest packet acknowledged is this far beyond the packet, or, if it was retransmitted,
 *              beyond the newest packet sent by then. After a timeout: all packets not acknowledged. Retransmissions may be lost again
 *   next       the first lost packet, otherwise a new one
 *   in flight  bytes sent, less those acknowledged, or lost and not yet retransmitted. The window of congestion control limits it, or, with
 *              `countsReceived`, the nominal bytes of received-bytes.ts
 *   asks       a packet requests an immediate SACK if the sender has nothing to send after it, or no room in a window
 *   limit      new packets begin less than the sender's range (MPR) beyond `sndUna`; the receiver's may be shorter (mrc-receiver.ts). If SACKs
 *              announce the receiver's range, the last one announced limits new packets too, but not retransmissions.
 *              With `maxMessages`, a new packet belongs to one of the oldest unacknowledged messages of its QP, at most that many
 *
 * Source      OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md): 2.7, 3.2, 3.5, 3.6; open points O6, O10, O14, O26, O27 in docs/reference/sources.md.
 * Timers      a setting selects one timer per packet (mrc-timer.ts), or one per flow with a constant timeout from the last progress.
 */
import { LOSS_FAST, LOSS_TIMEOUT } from '../../../src/abi/ack-layout';
import { nowPs } from '../event-queue';
import { total } from '../network';
import { sourcePortOfPacket } from '../path-selection/memory';
import { takeLostPacket } from '../path-selection/select';
import { MAP_PACKETS, bitsFrom, clearBit, hasBit, newBits, setBit } from './bitmap';
import { mrcOf } from './memory';
import { packetsIn, payloadOf } from './numbers';
import * as receivedBytes from './received-bytes';
import { TOTAL_PROBES_ACKNOWLEDGED } from '../../records/sim-run';
import { SimFlow, SimPacket } from '../../records/network';
import { FlowTransport, NACK_TRIMMED } from '../../records/transports';

/** An announced range has units of 2^7 packets. */
export const RANGE_SHIFT: u32 = 7;

/** Applies a SACK; returns the bytes that it acknowledges for the first time. */
export function takeSack(flow: SimFlow, own: FlowTransport, packet: SimPacket): i64 {
  const before = flow.sndUna + own.sackedBytes;
  if (packet.sequence > flow.sndUna) advance(flow, own, packet.sequence);
  const sack = mrcOf(packet);
  if (sack.range != 0 && packet.sequence == flow.sndUna)
    own.aheadPackets = min<u32>(own.windowPackets, <u32>sack.range << RANGE_SHIFT);
  noteMap(flow, own, sack.mapFirst, sack.map);
  if (sack.probe) noteProbeAck(own, packet);
  else noteMap(flow, own, causeOf(flow, sack.cause), 1);
  if (own.countsReceived) receivedBytes.noteReceived(own, sack.received);
  own.newestSentPs = max<i64>(own.newestSentPs, packet.sentPs);
  const acked = flow.sndUna + own.sackedBytes - before;
  if (acked > 0) flow.lastProgressPs = nowPs;
  return acked;
}

/** Handles the SACK of a closed window's probe (mrc-window-probes.ts). */
function noteProbeAck(own: FlowTransport, packet: SimPacket): void {
  if (!own.awaitsProbe || mrcOf(packet).cause != own.probeId) return;
  own.awaitsProbe = 0;
  own.highestEnd = max<i64>(own.highestEnd, own.probedEnd);
  total(TOTAL_PROBES_ACKNOWLEDGED, 1);
}

/** Restores the number of a packet that has been sent from its low 32 bits. */
@inline function causeOf(flow: SimFlow, low: u32): i64 {
  const una = flow.sndUna / <i64>flow.mtuBytes;
  return una + <i64><i32>(low - <u32>una);
}

/** Acknowledges all bytes before `to`. */
function advance(flow: SimFlow, own: FlowTransport, to: i64): void {
  const end = packetsIn(flow, to);
  for (let number = flow.sndUna / <i64>flow.mtuBytes; number < end; number++) {
    if (hasBit(own.sackedRing, own.sackedMask, number)) {
      clearBit(own.sackedRing, own.sackedMask, number);
      own.sackedBytes -= payloadOf(flow, number);
    } else forgetLoss(flow, own, number);
  }
  flow.sndUna = to;
  own.resendNext = max<i64>(own.resendNext, end);
  own.highestEnd = max<i64>(own.highestEnd, end);
}

/** Acknowledges packet `first` + i for each bit i of the map. */
function noteMap(flow: SimFlow, own: FlowTransport, first: i64, map: u64): void {
  const from = max<i64>(first, packetsIn(flow, flow.sndUna));
  let fresh = newBits(own.sackedRing, own.sackedMask, map, first, from);
  if (fresh == 0) return;
  own.highestEnd = max<i64>(own.highestEnd, from + MAP_PACKETS - <i64>clz<u64>(fresh));
  for (; fresh != 0; fresh &= fresh - 1) noteArrived(flow, own, from + <i64>ctz<u64>(fresh));
}

function noteArrived(flow: SimFlow, own: FlowTransport, number: i64): void {
  setBit(own.sackedRing, own.sackedMask, number);
  own.sacked++;
  own.sackedBytes += payloadOf(flow, number);
  forgetLoss(flow, own, number);
}

/** Cancels the retransmission of an acknowledged packet. */
function forgetLoss(flow: SimFlow, own: FlowTransport, number: i64): void {
  if (!hasBit(own.lostRing, own.sackedMask, number)) return;
  clearBit(own.lostRing, own.sackedMask, number);
  own.lostBytes -= payloadOf(flow, number);
  if (own.countsReceived) receivedBytes.noteFound(flow, own, number);
}

/** Detects losses by time or distance; returns whether there are any. */
export function findLost(flow: SimFlow, own: FlowTransport): bool {
  if (own.lossTimePs == 0 && !own.orderRing) return false;
  const latestPs = own.lossTimePs == 0 ? -1 : own.newestSentPs - <i64>own.lossTimePs;
  let found = false;
  for (let first = packetsIn(flow, flow.sndUna); first < own.highestEnd; first += MAP_PACKETS) {
    let holes = holesFrom(own, first, own.highestEnd);
    for (; holes != 0; holes &= holes - 1) {
      const number = first + <i64>ctz<u64>(holes);
      if (sentPsOf(own, number) > latestPs && !isFarBehind(own, number)) continue;
      loseSilently(flow, own, number, LOSS_FAST);
      found = true;
    }
  }
  return found;
}

/** Whether the highest packet acknowledged is `distancePackets` or more beyond all packets sent before this one. */
@inline function isFarBehind(own: FlowTransport, number: i64): bool {
  if (!own.orderRing) return false;
  return <i32>(<u32>own.highestEnd - 1 - load<u32>(orderOf(own, number))) >= <i32>own.distancePackets;
}

/** Bit i: packet `first` + i, below `end`, is neither acknowledged nor known to be lost. */
@inline export function holesFrom(own: FlowTransport, first: i64, end: i64): u64 {
  const holes = ~(bitsFrom(own.sackedRing, own.sackedMask, first) | bitsFrom(own.lostRing, own.sackedMask, first));
  return end - first < MAP_PACKETS ? holes & ((<u64>1 << <u64>(end - first)) - 1) : holes;
}

/** Applies a NACK; returns whether it reports a new loss. */
export function takeNack(flow: SimFlow, own: FlowTransport, packet: SimPacket): bool {
  const number = packet.sequence / <i64>flow.mtuBytes;
  if (packet.sequence < flow.sndUna || hasBit(own.sackedRing, own.sackedMask, number)) return false;
  if (hasBit(own.lostRing, own.sackedMask, number) || sentPsOf(own, number) != packet.sentPs) return false;
  lose(flow, own, number);
  // A rejection is not progress: packets after a gap that no SACK shows may be rejected again and again until the timeout.
  if (mrcOf(packet).reason == NACK_TRIMMED) flow.lastProgressPs = nowPs;
  return true;
}

/** Handles a timeout: marks all packets that are not acknowledged as lost. */
export function loseAll(flow: SimFlow, own: FlowTransport): void {
  const end = packetsIn(flow, flow.sentUpTo);
  for (let first = packetsIn(flow, flow.sndUna); first < end; first += MAP_PACKETS) {
    let holes = holesFrom(own, first, end);
    for (; holes != 0; holes &= holes - 1) loseSilently(flow, own, first + <i64>ctz<u64>(holes), LOSS_TIMEOUT);
  }
  own.probedPs = 0;
  selectNextPacket(flow, own);
}

/** Marks a packet as lost without a NACK, and notifies path selection of its entropy. `found`: LOSS_*. */
@inline export function loseSilently(flow: SimFlow, own: FlowTransport, number: i64, found: u32): void {
  if (own.entropyRing) takeLostPacket(flow, load<u16>(portOf(own, number)), found);
  lose(flow, own, number);
}

function lose(flow: SimFlow, own: FlowTransport, number: i64): void {
  setBit(own.lostRing, own.sackedMask, number);
  own.lostBytes += payloadOf(flow, number);
  if (own.countsReceived) receivedBytes.noteLost(flow, own, number);
  own.resendNext = min<i64>(own.resendNext, number);
}

/** Notes a retransmission; `sndNxt` is still the packet's first byte. `step`: bytes from there to the next packet. */
export function noteResent(flow: SimFlow, own: FlowTransport, step: u32): void {
  const number = flow.sndNxt / <i64>flow.mtuBytes;
  clearBit(own.lostRing, own.sackedMask, number);
  own.lostBytes -= <i64>step;
  own.resendNext = number + 1;
  own.again = 1;
}

/** Notes that a packet was sent; moves `sndNxt` to the next one. */
export function noteSent(flow: SimFlow, own: FlowTransport, packet: SimPacket): void {
  const number = packet.sequence / <i64>flow.mtuBytes;
  store<i64>(sentAt(own, number), nowPs);
  if (own.entropyRing) store<u16>(portOf(own, number), <u16>sourcePortOfPacket(packet));
  if (own.orderRing) store<u32>(orderOf(own, number), <u32>packetsIn(flow, flow.sentUpTo) - 1);
  if (own.countsReceived) receivedBytes.noteSent(flow, own, packet);
  const part = mrcOf(packet);
  part.trimmed = 0;
  part.probe = 0;
  part.again = <u8>own.again;
  own.again = 0;
  selectNextPacket(flow, own);
}

/** Notes whether the packet just sent requests a SACK. Retransmissions always cause one. */
export function noteAckRequest(flow: SimFlow, own: FlowTransport, packet: SimPacket, asks: bool): void {
  const part = mrcOf(packet);
  part.asks = <u8>asks;
  if (!own.ackRequestRing) return;
  const number = packet.sequence / <i64>flow.mtuBytes;
  if (asks || part.again != 0) setBit(own.ackRequestRing, own.sackedMask, number);
  else clearBit(own.ackRequestRing, own.sackedMask, number);
}

/** Moves `sndNxt` to the next packet to send: a lost one, otherwise a new one. */
export function selectNextPacket(flow: SimFlow, own: FlowTransport): void {
  flow.sndNxt = flow.sentUpTo;
  if (own.lostBytes == 0) {
    own.resendNext = packetsIn(flow, flow.sentUpTo);
    return;
  }
  while (!hasBit(own.lostRing, own.sackedMask, own.resendNext)) own.resendNext++;
  flow.sndNxt = own.resendNext * <i64>flow.mtuBytes;
}

/** Address of the UDP source port of a packet in flight. */
@inline function portOf(own: FlowTransport, number: i64): usize {
  return <usize>own.entropyRing + (<usize>(<u32>number & own.sackedMask) << 1);
}

/** Address of the number of the newest packet that had been sent at a packet's last transmission, including itself. */
@inline function orderOf(own: FlowTransport, number: i64): usize {
  return <usize>own.orderRing + (<usize>(<u32>number & own.sackedMask) << 2);
}

/** Time of the last transmission of a packet in flight. */
@inline export function sentPsOf(own: FlowTransport, number: i64): i64 {
  return load<i64>(sentAt(own, number));
}

@inline function sentAt(own: FlowTransport, number: i64): usize {
  return <usize>own.passedRing + (<usize>(<u32>number & own.sackedMask) << 3);
}
