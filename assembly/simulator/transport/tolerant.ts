/**
 * The sender of `tolerant`: packets are acknowledged individually, and a gap counts as a loss only when it is old or deep enough.
 *
 *   held       packets beyond `sndUna` that bitmaps of ACKs have reported
 *   lost       a packet that is not held: if one `distancePackets` later is held or acknowledged, or `lossTimePs` after the first later one
 *              was. Each packet is lost at most once this way. After a timeout: all packets sent and not held
 *   next       the first lost packet not yet retransmitted, otherwise a new one
 *   in flight  bytes sent, less those acknowledged, held, or lost and not yet retransmitted. The window of congestion control limits it
 *   limit      new packets begin less than the reordering window beyond `sndUna`, so the receiver has room for each
 *
 * The timeout detects lost retransmissions. On QPs with several messages a short packet occupies the sequence numbers of a full one, and counts
 * as one.
 *
 * Source      Ultra Ethernet 1.0 and OCP MRC 1.0 (SACK bitmaps; the sender stays within the range of packets that the receiver announces);
 *             RFC 6675, section 2 (bytes in flight); docs/reference/sources.md, "Tolerant" (distance and time).
 * Deviations  loss detection by distance and time is this project's choice: both specifications leave it open.
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { MAP_PACKETS, clearBit, hasBit, newBits, setBit } from './bitmap';
import { sackMapOf, sackOf } from './memory';
import { packetsIn, payloadOf } from './numbers';
import { SimFlow, SimPacket } from '../../records/network';
import { FlowTransport } from '../../records/transports';

/** Result of `nextLossPs` if no packet awaits a check. */
export const NO_CHECK: i64 = -1;

/** Bytes that are in flight. */
@inline export function bytesInFlight(flow: SimFlow, own: FlowTransport): i64 {
  return flow.sentUpTo - flow.sndUna - own.sackedBytes - own.lostBytes;
}

/** Whether the receiver has room for the next packet. */
@inline export function hasReceiverRoom(flow: SimFlow, own: FlowTransport): bool {
  return flow.sndNxt < flow.sentUpTo ||
    flow.sndNxt - flow.sndUna < <i64>own.aheadPackets * <i64>flow.mtuBytes;
}

/** Applies an ACK; returns the bytes that it acknowledges for the first time. */
export function takeAck(flow: SimFlow, own: FlowTransport, packet: SimPacket): i64 {
  const before = flow.sndUna + own.sackedBytes;
  if (packet.sequence > flow.sndUna) advance(flow, own, packet.sequence);
  noteMap(flow, own, sackOf(packet), sackMapOf(packet));
  return flow.sndUna + own.sackedBytes - before;
}

/** Acknowledges all bytes before `to`. */
function advance(flow: SimFlow, own: FlowTransport, to: i64): void {
  const mtuBytes = <i64>flow.mtuBytes;
  const end = packetsIn(flow, to);
  for (let number = flow.sndUna / mtuBytes; number < end; number++) {
    if (hasBit(own.sackedRing, own.sackedMask, number)) {
      clearBit(own.sackedRing, own.sackedMask, number);
      own.sackedBytes -= payloadOf(flow, number);
    } else if (isWaiting(own, number)) own.lostBytes -= payloadOf(flow, number);
  }
  flow.sndUna = to;
  flow.lastProgressPs = nowPs;
  own.resendNext = max<i64>(own.resendNext, end);
  own.lostEnd = max<i64>(own.lostEnd, end);
  raiseHighest(own, end);
}

/** Notes packet `first` + i as held for each bit i of the map. */
function noteMap(flow: SimFlow, own: FlowTransport, first: i64, map: u64): void {
  const from = max<i64>(first, packetsIn(flow, flow.sndUna));
  let fresh = newBits(own.sackedRing, own.sackedMask, map, first, from);
  if (fresh == 0) return;
  raiseHighest(own, from + MAP_PACKETS - <i64>clz<u64>(fresh));
  for (; fresh != 0; fresh &= fresh - 1) noteHeld(flow, own, from + <i64>ctz<u64>(fresh));
}

function noteHeld(flow: SimFlow, own: FlowTransport, number: i64): void {
  setBit(own.sackedRing, own.sackedMask, number);
  own.sacked++;
  own.sackedBytes += payloadOf(flow, number);
  if (isWaiting(own, number)) own.lostBytes -= payloadOf(flow, number);
}

/** Notes that a packet just before `end` is acknowledged or held: missing packets before it are overtaken from now on. */
function raiseHighest(own: FlowTransport, end: i64): void {
  if (own.passedRing) {
    for (let number = own.highestEnd; number < end; number++) store<i64>(passedAt(own, number), nowPs);
  }
  own.highestEnd = max<i64>(own.highestEnd, end);
}

/** Detects losses by distance and time; returns whether there are any. */
export function findLost(flow: SimFlow, own: FlowTransport): bool {
  let end = own.lostEnd;
  if (own.distancePackets != SIM_NONE) end = max<i64>(end, own.highestEnd - <i64>own.distancePackets);
  if (own.passedRing) { while (end + 1 < own.highestEnd && lossPs(own, end) <= nowPs) end++; }
  let found = false;
  for (; own.lostEnd < end; own.lostEnd++) {
    if (hasBit(own.sackedRing, own.sackedMask, own.lostEnd)) continue;
    own.lostBytes += payloadOf(flow, own.lostEnd);
    found = true;
  }
  return found;
}

/** When the next packet will be lost by time unless it is acknowledged; NO_CHECK: no packet will. */
export function nextLossPs(own: FlowTransport): i64 {
  if (!own.passedRing) return NO_CHECK;
  while (own.lostEnd < own.highestEnd && hasBit(own.sackedRing, own.sackedMask, own.lostEnd)) own.lostEnd++;
  return own.lostEnd + 1 < own.highestEnd ? lossPs(own, own.lostEnd) : NO_CHECK;
}

/** When a packet that a later one has overtaken will be lost. */
@inline function lossPs(own: FlowTransport, number: i64): i64 {
  return load<i64>(passedAt(own, number + 1)) + <i64>own.lossTimePs;
}

/** Handles a timeout: marks all packets that are not held as lost. */
export function loseAll(flow: SimFlow, own: FlowTransport): void {
  own.lostEnd = packetsIn(flow, flow.sentUpTo);
  own.resendNext = packetsIn(flow, flow.sndUna);
  own.lostBytes = flow.sentUpTo - flow.sndUna - own.sackedBytes;
  selectNextPacket(flow, own);
}

/** Notes a retransmission; `sndNxt` is still the packet's first byte. `step`: bytes from there to the next packet. */
export function noteResent(flow: SimFlow, own: FlowTransport, step: u32): void {
  own.resendNext = flow.sndNxt / <i64>flow.mtuBytes + 1;
  own.lostBytes -= <i64>step;
}

/** Moves `sndNxt` to the next packet to send: a lost one, otherwise a new one. */
export function selectNextPacket(flow: SimFlow, own: FlowTransport): void {
  flow.sndNxt = flow.sentUpTo;
  if (own.lostBytes == 0) return;
  while (hasBit(own.sackedRing, own.sackedMask, own.resendNext)) own.resendNext++;
  flow.sndNxt = own.resendNext * <i64>flow.mtuBytes;
}

/** Whether a packet that is not held is lost and waits for retransmission. */
@inline function isWaiting(own: FlowTransport, number: i64): bool {
  return number >= own.resendNext && number < own.lostEnd;
}

@inline function passedAt(own: FlowTransport, number: i64): usize {
  return <usize>own.passedRing + (<usize>(<u32>number & own.sackedMask) << 3);
}
