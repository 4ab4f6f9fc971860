/**
 * One end of a link: a packet is sent, is on its way, arrives. A link is a pipe: what is on it arrives in the order in which it
 * left, so that only its first packet is in the event queue.
 *
 * The end of a transmission is an event only where someone waits for it: a packet queued meanwhile, or the QPs of a host. Its place
 * among the events of its instant is drawn in any case, so nothing else depends on that. The ends of a host that has no QPs count as
 * events all the same, once they are over.
 */
import { CAPTURE_PACKETS } from '../../src/abi/packet-trace-layout';
import { DROP_LINK_DOWN, SIM_NONE, TOTAL_EVENTS } from '../../src/abi/sim-layout';
import { arrivalEvent, endEvent } from './event-numbers';
import { cancel, nowOrder, nowPs, schedule, drawOrder } from './event-queue';
import { indexOfPort, portAt, portCount, total } from './network';
import { drop, fetchPacket, packetAt } from './packets';
import { SimPacket, SimPort } from './records';
import { serialisation } from './serialisation';
import { traceTransmission } from './trace';

/** What becomes of the end of a port's transmission: nothing, an event, or a number in the count of events. */
const END_NONE: u8 = 0;
const END_EXPECTED: u8 = 1;
const END_COUNTED: u8 = 2;

/** Transmissions of all ports. */
export let packetHops: f64 = 0;

export function resetTransmissions(): void {
  packetHops = 0;
}

/** Whether a packet is being sent. */
@inline export function isBusy(port: SimPort): bool {
  return port.end == END_EXPECTED || nowPs < port.freeAtPs || (nowPs == port.freeAtPs && nowOrder < port.freeOrder);
}

/** Whether a packet of this queue would be sent at once. */
@inline export function isReady(port: SimPort, queue: u32): bool {
  return !port.waiting && !(port.paused & ~1 & (1 << queue)) && port.up && !isBusy(port);
}

/** Begins to send; the port is idle. */
export function transmit(port: SimPort, index: u32): void {
  if (port.end != END_NONE) countEnd(port);
  const packet = packetAt(index);
  const tx = serialisation(port, packet.lenBytes);
  port.txPackets += 1;
  port.txBytes += <f64>packet.lenBytes;
  port.busyPs += <f64>tx;
  packetHops += 1;
  port.lastTxPs = tx;
  port.freeAtPs = nowPs + tx;
  port.freeOrder = drawOrder();
  const arrivalPs = port.freeAtPs + port.delay;
  const arrivalOrder = drawOrder();
  packet.next = SIM_NONE;
  if (port.captured & CAPTURE_PACKETS) traceTransmission(port, packet);
  if (port.pipeHead == SIM_NONE) {
    port.pipeHead = index;
    schedule(arrivalEvent(indexOfPort(port)), arrivalPs, arrivalOrder);
  } else {
    putBehind(packetAt(port.pipeTail), index, arrivalPs, arrivalOrder);
  }
  port.pipeTail = index;
}

/** Chains a packet behind another one, which keeps when it is due: so that the next event need not read the next packet. */
@inline export function putBehind(before: SimPacket, index: u32, duePs: i64, order: i64): void {
  before.next = index;
  before.behindPs = duePs;
  before.behindOrder = order;
}

/** Someone waits for the end of the running transmission. */
@inline export function expectEnd(port: SimPort): void {
  if (port.end == END_EXPECTED) return;
  port.end = END_EXPECTED;
  schedule(endEvent(indexOfPort(port)), port.freeAtPs, port.freeOrder);
}

@inline export function isEndExpected(port: SimPort): bool {
  return port.end == END_EXPECTED;
}

/** The end of the running transmission is an event, which has come. */
@inline export function endHasCome(port: SimPort): void {
  port.end = END_NONE;
}

/** Nothing waits for the end of a host's running transmission, which still counts as an event. */
@inline export function letEndCount(port: SimPort): void {
  port.end = END_COUNTED;
}

@inline function countEnd(port: SimPort): void {
  port.end = END_NONE;
  total(TOTAL_EVENTS, 1);
}

/** Counts the ends that are over before an instant, or at it before the event that is being handled. */
export function countEndsBefore(untilPs: i64, order: i64): void {
  for (let index: u32 = 0; index < portCount; index++) {
    const port = portAt(index);
    if (port.end != END_COUNTED) continue;
    if (port.freeAtPs < untilPs || (port.freeAtPs == untilPs && port.freeOrder < order)) countEnd(port);
  }
}

/** The first packet on the way from this port has arrived: it is removed from the link. */
export function removeArrival(port: SimPort): u32 {
  const index = port.pipeHead;
  const packet = packetAt(index);
  port.pipeHead = packet.next;
  if (packet.next != SIM_NONE) {
    fetchPacket(packet.next);
    schedule(arrivalEvent(indexOfPort(port)), packet.behindPs, packet.behindOrder);
  }
  return index;
}

/** When the transmission of a packet that arrives now over this link began. */
@inline export function departure(port: SimPort, packet: SimPacket): i64 {
  return nowPs - port.delay - serialisation(port, packet.lenBytes);
}

/** The link is cut: what is on it is lost. */
export function loseWire(port: SimPort): void {
  if (port.pipeHead == SIM_NONE) return;
  cancel(arrivalEvent(indexOfPort(port)));
  while (port.pipeHead != SIM_NONE) {
    const index = port.pipeHead;
    port.pipeHead = packetAt(index).next;
    port.drops += 1;
    drop(index, DROP_LINK_DOWN);
  }
}
