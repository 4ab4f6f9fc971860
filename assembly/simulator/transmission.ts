/**
 * One end of a link: transmission, propagation, arrival. A link is a FIFO, so only its first packet is in the event queue.
 *
 * The end of a transmission is an event only if something waits for it: a queued packet, or the QPs of a host. Its order among
 * simultaneous events is always drawn, so nothing else depends on this. For a host without QPs, the ends are only counted as
 * events afterwards.
 */
import { DROP_LINK_DOWN, SIM_NONE } from '../../src/abi/sim-codes';
import { arrivalEvent, endEvent } from './event-numbers';
import { cancel, nowOrder, nowPs, schedule, drawOrder } from './event-queue';
import { indexOfPort, portAt, portCount, total } from './network';
import { drop, fetchPacket, packetAt } from './packets';
import { serialisation } from './serialisation';
import { traceTransmission } from './trace';
import { TOTAL_EVENTS } from '../records/sim-run';
import { SimPacket, SimPort } from '../records/network';
import { CAPTURE_PACKETS } from '../records/packet-trace';

/** Kinds of the end of a port's transmission: no event, an event, or only counted as one. */
const END_NONE: u8 = 0;
const END_EXPECTED: u8 = 1;
const END_COUNTED: u8 = 2;

/** Number of transmissions of all ports. */
export let packetHops: f64 = 0;

export function resetTransmissions(): void {
  packetHops = 0;
}

/** Whether a packet is being sent. */
@inline export function isBusy(port: SimPort): bool {
  return port.end == END_EXPECTED || nowPs < port.freeAtPs || (nowPs == port.freeAtPs && nowOrder < port.freeOrder);
}

/** Whether a packet of this queue would be sent immediately. */
@inline export function isReady(port: SimPort, queue: u32): bool {
  return !port.waiting && !(port.paused & ~1 & (1 << queue)) && port.up && !isBusy(port);
}

/** Begins to send a packet; the port must be idle. */
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

/** Links a packet after another one, which stores its due time, so that scheduling it does not read its record. */
@inline export function putBehind(before: SimPacket, index: u32, duePs: i64, order: i64): void {
  before.next = index;
  before.behindPs = duePs;
  before.behindOrder = order;
}

/** Schedules the end of the running transmission. */
@inline export function expectEnd(port: SimPort): void {
  if (port.end == END_EXPECTED) return;
  port.end = END_EXPECTED;
  schedule(endEvent(indexOfPort(port)), port.freeAtPs, port.freeOrder);
}

@inline export function isEndExpected(port: SimPort): bool {
  return port.end == END_EXPECTED;
}

/** Called when the scheduled end of the transmission has been reached. */
@inline export function noteTransmissionEnd(port: SimPort): void {
  port.end = END_NONE;
}

/** Marks the end of a host's running transmission as only counted, as nothing waits for it. */
@inline export function countEndOnly(port: SimPort): void {
  port.end = END_COUNTED;
}

@inline function countEnd(port: SimPort): void {
  port.end = END_NONE;
  total(TOTAL_EVENTS, 1);
}

/** Counts the ends before a time, or at that time before the current event. */
export function countEndsBefore(untilPs: i64, order: i64): void {
  for (let index: u32 = 0; index < portCount; index++) {
    const port = portAt(index);
    if (port.end != END_COUNTED) continue;
    if (port.freeAtPs < untilPs || (port.freeAtPs == untilPs && port.freeOrder < order)) countEnd(port);
  }
}

/** Removes the first packet in flight from this port, which has arrived. */
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

/** The time at which the transmission of a packet that arrives now began. */
@inline export function departure(port: SimPort, packet: SimPacket): i64 {
  return nowPs - port.delay - serialisation(port, packet.lenBytes);
}

/** Drops the packets in flight on a link that went down. */
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
