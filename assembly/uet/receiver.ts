/**
 * The receiver of a flow: tracks received packets, sends ACKs, and requests pulls from its host's pacer
 * (docs/specs/uet-reference.md, 5).
 *
 *   immediate ACK    first payload, duplicate, ACK request, mark, or the last gap closes after an ACK request
 *   ACK              accepted bytes (16 bits, wrapping) >= the threshold
 *   map              64 numbers from r: r = n if marked or requested, else max(n - 63, e + 1)
 *
 * e: lowest missing number; n: number of the packet. Received numbers above e are kept in a ring of 16,384 bits; as in the
 * reference, numbers that far apart share a bit.
 */
import { UetFlow } from '../records/uet-flows';
import { UET_PACKET_ACK, UET_PACKET_DATA, UET_PACKET_NACK, UET_PACKET_PROBE, UET_PACKET_RTS, UetHost,
  UetPacket } from '../records/uet-network';
import { sendControl } from './nic';
import { countArrival } from './oversubscribed';
import { deliverPacket, takePacket } from './packets';
import { activate } from './pull-pacer';
import { ackBytes, isOversubscribed } from './settings';
import { run } from './stop';

const RING_MASK: u32 = 16384 - 1;
export const RING_BYTES: usize = 16384 >> 3;
const MAP_BITS: u32 = 64;
const ACCEPTED_MASK: u32 = 0xffff;

@inline function hostOf(flow: UetFlow): UetHost {
  return changetype<UetHost>(<usize>flow.destinationAt);
}

/** A packet arrives at the receiver's host. */
export function receiveAtReceiver(flow: UetFlow, packet: UetPacket): void {
  count(flow, packet);
  if (packet.kind == UET_PACKET_RTS) receiveRts(flow, packet);
  else if (packet.kind == UET_PACKET_PROBE) receiveProbe(flow, packet);
  else if (packet.isHeaderOnly) receiveTrimmed(flow, packet);
  else receiveData(flow, packet);
  deliverPacket(packet);
}

function count(flow: UetFlow, packet: UetPacket): void {
  const isData = packet.kind == UET_PACKET_DATA;
  const isTrimmed = isData && packet.isHeaderOnly != 0;
  flow.rxPackets += 1;
  flow.rxBytes += <f64>packet.sizeBytes;
  if (isTrimmed) flow.rxTrimmed += 1;
  else if (packet.isMarked && isData) flow.rxMarked += 1;
  if (isOversubscribed)
    countArrival(hostOf(flow), packet.isMarked != 0, isTrimmed, packet.isTrimmedAtLastHop != 0);
}

function receiveData(flow: UetFlow, packet: UetPacket): void {
  const seq = packet.seq;
  const isMarked = packet.isMarked != 0;
  flow.acceptedBytes = (flow.acceptedBytes + packet.sizeBytes) & ACCEPTED_MASK;
  raiseTarget(flow, packet.number);
  if (isReceived(flow, seq)) {
    flow.rxDuplicates += 1;
    acknowledge(flow, packet, isMarked ? seq : mapBaseOf(flow, seq));
    flow.acceptedBytes = 0;
    return;
  }
  let isAtOnce = flow.acceptedWireBytes == 0;
  flow.acceptedWireBytes += <f64>packet.sizeBytes;
  if (packet.wantsAck) {
    isAtOnce = true;
    flow.isAckPending = 1;
  }
  if (accept(flow, seq)) isAtOnce = true;
  if (!isMarked && !isAtOnce && <f64>flow.acceptedBytes < ackBytes) return;
  acknowledge(flow, packet, isMarked || packet.wantsAck ? seq : mapBaseOf(flow, seq));
  flow.acceptedBytes = 0;
}

function receiveTrimmed(flow: UetFlow, packet: UetPacket): void {
  const seq = packet.seq;
  if (isReceived(flow, seq)) {
    const ack = newAck(flow, packet, mapBaseOf(flow, seq));
    ack.isMarked = 0;
    sendControl(hostOf(flow), ack);
    return;
  }
  if (packet.isTrimmedAtLastHop) flow.rxTrimmedLastHop += 1;
  raiseTarget(flow, packet.number);
  run.nacksMade += 1;
  const nack = takePacket(UET_PACKET_NACK, flow, packet.ev);
  nack.seq = seq;
  nack.isMarked = packet.isMarked;
  nack.isTrimmedAtLastHop = packet.isTrimmedAtLastHop;
  sendControl(hostOf(flow), nack);
  activate(flow);
}

function receiveRts(flow: UetFlow, packet: UetPacket): void {
  const seq = packet.seq;
  raiseTarget(flow, packet.number);
  activate(flow);
  if (isReceived(flow, seq)) {
    flow.rxDuplicates += 1;
    acknowledge(flow, packet, mapBaseOf(flow, seq));
    flow.acceptedBytes = 0;
    return;
  }
  accept(flow, seq);
  const ack = newAck(flow, packet, seq);
  ack.isForRts = 1;
  sendControl(hostOf(flow), ack);
}

function receiveProbe(flow: UetFlow, packet: UetPacket): void {
  const ack = newAck(flow, packet, mapBaseOf(flow, packet.seq));
  ack.isProbe = 1;
  sendControl(hostOf(flow), ack);
}

@inline function wordOf(flow: UetFlow, bit: u32): usize {
  return <usize>flow.isReceivedAt + (<usize>(bit >> 6) << 3);
}

@inline function hasBit(flow: UetFlow, seq: u32): bool {
  const bit = seq & RING_MASK;
  return ((load<u64>(wordOf(flow, bit)) >> <u64>(bit & 63)) & 1) != 0;
}

function isReceived(flow: UetFlow, seq: u32): bool {
  return seq < flow.expectedSeq || hasBit(flow, seq);
}

/** Records a new packet number. Returns whether it closed the last gap while an ACK was pending. */
function accept(flow: UetFlow, seq: u32): bool {
  if (seq != flow.expectedSeq) {
    const bit = seq & RING_MASK;
    const word = wordOf(flow, bit);
    store<u64>(word, load<u64>(word) | ((<u64>1) << <u64>(bit & 63)));
    flow.outOfOrder++;
    flow.rxOutOfOrder += 1;
    return false;
  }
  flow.expectedSeq++;
  while (flow.outOfOrder && hasBit(flow, flow.expectedSeq)) {
    const bit = flow.expectedSeq & RING_MASK;
    const word = wordOf(flow, bit);
    store<u64>(word, load<u64>(word) & ~((<u64>1) << <u64>(bit & 63)));
    flow.outOfOrder--;
    flow.expectedSeq++;
  }
  if (flow.outOfOrder || !flow.isAckPending) return false;
  flow.isAckPending = 0;
  return true;
}

function raiseTarget(flow: UetFlow, pullTarget: f64): void {
  if (pullTarget <= flow.askedPull) return;
  flow.askedPull = pullTarget;
  activate(flow);
}

@inline function mapBaseOf(flow: UetFlow, seq: u32): u32 {
  return <u32>max(<i32>seq - <i32>(MAP_BITS - 1), <i32>flow.expectedSeq + 1);
}

function acknowledge(flow: UetFlow, packet: UetPacket, mapBase: u32): void {
  sendControl(hostOf(flow), newAck(flow, packet, mapBase));
}

function newAck(flow: UetFlow, packet: UetPacket, mapBase: u32): UetPacket {
  run.acksMade += 1;
  const ack = takePacket(UET_PACKET_ACK, flow, packet.ev);
  ack.seq = packet.seq;
  ack.isMarked = packet.isMarked;
  ack.isRetransmission = packet.isRetransmission;
  ack.isProbe = 0;
  ack.cumulative = flow.expectedSeq;
  ack.number = flow.acceptedWireBytes;
  ack.outOfOrder = flow.outOfOrder;
  ack.mapBase = mapBase;
  ack.map = flow.outOfOrder ? mapOf(flow, mapBase) : 0;
  return ack;
}

/** Reads 64 bits of the ring. */
function mapOf(flow: UetFlow, from: u32): u64 {
  const bit = from & RING_MASK;
  const shift = <u64>(bit & 63);
  const low = load<u64>(wordOf(flow, bit)) >> shift;
  if (!shift) return low;
  return low | (load<u64>(wordOf(flow, (bit + 63) & RING_MASK)) << (64 - shift));
}
