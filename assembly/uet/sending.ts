/**
 * The sending side of a flow: when it may send, and what it sends (docs/specs/uet-reference.md, 5).
 *
 *   may send = something to send, and credit > 0 (receiver control), and cwnd >= in flight + next size (sender control)
 *   ACK request = nothing left, or credit <= 0, or in flight (including this packet) + size >= cwnd
 */
import { UetFlow } from '../records/uet-flows';
import { UET_PACKET_DATA, UET_PACKET_RTS, UetHost, UetPacket } from '../records/uet-network';
import { UET_CONTROL_NONE, UET_OUT_OF_NUMBERS } from '../records/uet-run';
import { nextBytesOf, takeFromBacklog } from './backlog';
import { nextPullTarget } from './credit';
import { nowPs } from './events';
import { receiveAtHostQueue } from './host-queue';
import { occupy, sendControl, waitingOf } from './nic';
import { HEADER_BYTES, LOW, MIDDLE, takePacket } from './packets';
import { nextEv } from './paths';
import { startTimer } from './retransmission-timer';
import { pushRing } from './ring';
import { addQueued, addSent, openSent, removeQueued, sentOf } from './sent-packets';
import { control, isReceiverControlled, maxWindowBytes } from './settings';
import { run, stop } from './stop';

/** Limit of packet numbers, which have 31 bits. */
const SEQ_END: u32 = 0x7fffffff;

@inline export function sourceOf(flow: UetFlow): UetHost {
  return changetype<UetHost>(<usize>flow.sourceAt);
}

export function startFlow(flow: UetFlow): void {
  flow.startPs = nowPs;
  flow.creditBytes = maxWindowBytes;
  trySend(flow);
}

export function maySend(flow: UetFlow): bool {
  if (!flow.queuedCount && flow.backlogBytes == 0) return false;
  if (isReceiverControlled && flow.creditBytes <= 0) return false;
  if (control == UET_CONTROL_NONE) return true;
  if (flow.queuedCount && flow.isRecovering) return true;
  const nextBytes = flow.queuedCount ? <f64>sentOf(flow, flow.queuedFirst).queuedBytes : nextBytesOf(flow);
  return flow.windowBytes >= flow.inFlightBytes + nextBytes;
}

/** Sends while it is allowed to and the NIC is idle; queues at a busy NIC. */
export function trySend(flow: UetFlow): void {
  const host = sourceOf(flow);
  while (!flow.isWaiting && maySend(flow)) {
    if (askNic(host, flow)) occupy(host, <f64>sendOne(flow));
    else flow.isWaiting = 1;
  }
}

/** Returns whether the sender may send now; otherwise queues it. */
export function askNic(host: UetHost, flow: UetFlow): bool {
  if (!host.isNicBusy) return true;
  pushRing(waitingOf(host), <u32>changetype<usize>(flow));
  return false;
}

/** Queues a packet for retransmission and tries to send, except while speculating under receiver control. */
export function queueAgain(flow: UetFlow, seq: u32, sizeBytes: u32): void {
  addQueued(flow, seq, sizeBytes);
  if (!isReceiverControlled || !flow.isSpeculating) trySend(flow);
}

/** Sends one packet and returns its bytes. */
export function sendOne(flow: UetFlow): u32 {
  return flow.queuedCount ? retransmit(flow) : sendNew(flow);
}

function sendNew(flow: UetFlow): u32 {
  const seq = takeNumber(flow);
  const sizeBytes = takeFromBacklog(flow, seq);
  charge(flow, <f64>sizeBytes);
  const packet = takePacket(UET_PACKET_DATA, flow, nextEv(flow));
  const isLastCredit = isReceiverControlled && flow.creditBytes <= 0;
  const isWindowFull = control != UET_CONTROL_NONE && flow.inFlightBytes + <f64>sizeBytes >= flow.windowBytes;
  packet.isRetransmission = 0;
  packet.wantsAck = <u32>(flow.backlogBytes == 0 || isLastCredit || isWindowFull);
  packet.hostClass = flow.isSpeculating ? LOW : MIDDLE;
  flow.nextSeq++;
  flow.newPackets += 1;
  pass(flow, packet, seq, sizeBytes);
  return sizeBytes;
}

/** Returns the next new number and allocates its record; the caller increments `nextSeq`. */
export function takeNumber(flow: UetFlow): u32 {
  const seq = flow.nextSeq;
  if (seq == SEQ_END) stop(UET_OUT_OF_NUMBERS);
  openSent(flow, seq);
  return seq;
}

function retransmit(flow: UetFlow): u32 {
  const seq = flow.queuedFirst;
  const sizeBytes = removeQueued(flow, seq);
  charge(flow, <f64>sizeBytes);
  const packet = takePacket(UET_PACKET_DATA, flow, nextEv(flow));
  packet.isRetransmission = 1;
  packet.wantsAck = 1;
  packet.hostClass = MIDDLE;
  sentOf(flow, seq).copies++;
  flow.retransmissions += 1;
  pass(flow, packet, seq, sizeBytes);
  return sizeBytes;
}

/** Charges a packet to credit and window, and requests pulls. */
function charge(flow: UetFlow, sizeBytes: f64): void {
  if (isReceiverControlled) flow.creditBytes -= sizeBytes;
  flow.inFlightBytes += sizeBytes;
  flow.pullTarget = nextPullTarget(flow);
}

function pass(flow: UetFlow, packet: UetPacket, seq: u32, sizeBytes: u32): void {
  packet.seq = seq;
  packet.sizeBytes = sizeBytes;
  run.bytesMade += <f64>(sizeBytes - HEADER_BYTES);
  packet.isHeaderOnly = 0;
  packet.number = flow.pullTarget;
  addSent(flow, seq, sizeBytes, nowPs);
  receiveAtHostQueue(sourceOf(flow), packet);
  startTimer(flow, nowPs);
}

/** Sends a header as a control packet. As in the reference, switches queue probes as data. */
export function sendHeader(flow: UetFlow, kind: u32, seq: u32, ev: u32): void {
  const packet = takePacket(kind, flow, ev);
  packet.seq = seq;
  packet.number = flow.pullTarget;
  packet.isRetransmission = 0;
  packet.wantsAck = 0;
  packet.isHeaderOnly = <u32>(kind == UET_PACKET_RTS);
  sendControl(sourceOf(flow), packet);
}
